-- Events leave through the outbox: appended in the transaction of their cause, relayed afterwards.
create table app.outbox (
  id              bigint generated always as identity,
  organization_id uuid not null references app.organizations,
  type            text not null,
  payload         jsonb not null,
  attempts        integer not null default 0,
  available_at    timestamptz not null default now(),
  created_at      timestamptz not null default now(),
  primary key (organization_id, id)
);
create index outbox_by_availability on app.outbox (available_at, id);
alter table app.outbox enable row level security, force row level security;
create policy tenant on app.outbox for insert with check (organization_id = app.current_organization());
create policy relay on app.outbox
  using (app.current_task() = 'relay-outbox') with check (app.current_task() = 'relay-outbox');
grant select, insert, update, delete on app.outbox to memory_app;

create function app.notify_outbox() returns trigger language plpgsql as $$
begin
  notify memory_outbox;
  return null;
end
$$;
create trigger outbox_appended after insert on app.outbox
  for each statement execute function app.notify_outbox();
