-- Each attempt at a delivery, beside the last one's outcome on the delivery itself. They go with their delivery, and of those
-- that are sent again and again the newest are kept.

create table app.webhook_attempts (
  organization_id uuid not null,
  webhook_id      uuid not null,
  delivery_id     uuid not null,
  -- Order of being noted.
  n               bigint not null generated always as identity,
  -- When it began.
  attempted_at    timestamptz not null,
  duration_ms     integer not null,
  -- Null where there was no answer: then `failure` says why.
  response_status integer,
  response_body   text,
  failure         text,
  primary key (organization_id, webhook_id, delivery_id, n),
  foreign key (organization_id, webhook_id, delivery_id) references app.webhook_deliveries on delete cascade,
  check ((response_status is null) = (failure is not null))
);
alter table app.webhook_attempts enable row level security, force row level security;
create policy tenant on app.webhook_attempts
  using (organization_id = app.current_organization()) with check (organization_id = app.current_organization());
create policy deliver on app.webhook_attempts
  using (app.current_task() = 'deliver-webhooks') with check (app.current_task() = 'deliver-webhooks');
create policy subject on app.webhook_attempts as restrictive using ((select app.bound_subject()) is null);
grant select, insert, delete on app.webhook_attempts to memory_app;
