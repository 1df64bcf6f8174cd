-- Exports of a user's data, what was erased, and billing events that were handled.

create table app.exports (
  user_id    uuid not null references app.users,
  id         uuid not null default gen_random_uuid(),
  status     text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  bytes      bigint not null default 0,
  created_at timestamptz not null default now(),
  ready_at   timestamptz,
  expires_at timestamptz,
  primary key (user_id, id)
);
-- One at a time.
create unique index exports_pending on app.exports (user_id) where status = 'pending';
alter table app.exports enable row level security, force row level security;
create policy tenant on app.exports
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
create policy purge on app.exports
  using (app.current_task() = 'purge-exports' and (expires_at < now() or created_at < now() - interval '8 days'));
grant select, insert, update, delete on app.exports to memory_app;

-- The archive, in pieces that are written and read one after the other.
create table app.export_parts (
  user_id   uuid not null,
  export_id uuid not null,
  part      integer not null,
  data      bytea not null,
  primary key (user_id, export_id, part),
  foreign key (user_id, export_id) references app.exports on delete cascade
);
alter table app.export_parts enable row level security, force row level security;
create policy tenant on app.export_parts
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
grant select, insert, update, delete on app.export_parts to memory_app;

create table app.billing_events (
  webhook_id  text primary key,
  received_at timestamptz not null default now()
);
alter table app.billing_events enable row level security, force row level security;
create policy task on app.billing_events
  using (app.current_task() = 'handle-billing') with check (app.current_task() = 'handle-billing');
grant select, insert, delete on app.billing_events to memory_app;
