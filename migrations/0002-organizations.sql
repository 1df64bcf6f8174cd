-- Organizations, their plan and their two memory spaces.

-- Filled from the service's plan table at each migration run, so that a quota is checked where it is counted.
create table app.plans (
  name            text primary key,
  patterns        bigint not null,
  queries_per_day bigint not null,
  api_keys        bigint not null,
  members         bigint not null
);
grant select on app.plans to memory_app;

create table app.organizations (
  id         uuid primary key default gen_random_uuid(),
  name       text not null,
  plan       text not null references app.plans,
  created_at timestamptz not null default now()
);
alter table app.organizations enable row level security, force row level security;
create policy tenant on app.organizations
  using (id = app.current_organization()) with check (id = app.current_organization());
grant select, insert, update on app.organizations to memory_app;

create table app.spaces (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references app.organizations,
  environment     text not null check (environment in ('live', 'test')),
  -- Raised by every commit that changes the space's patterns; each changed row carries the number.
  version         bigint not null default 0,
  -- Deletes up to this version have left no tombstone any more: an older copy of the space starts anew.
  history_floor   bigint not null default 0,
  next_idx        integer not null default 0,
  patterns_used   bigint not null default 0 check (patterns_used >= 0),
  text_patterns   bigint not null default 0 check (text_patterns >= 0),
  storage_bytes   bigint not null default 0 check (storage_bytes >= 0),
  created_at      timestamptz not null default now(),
  unique (organization_id, environment)
);
alter table app.spaces enable row level security, force row level security;
create policy tenant on app.spaces
  using (organization_id = app.current_organization() or id = app.current_space())
  with check (organization_id = app.current_organization() or id = app.current_space());
create policy purge_tombstones on app.spaces
  using (app.current_task() = 'purge-tombstones') with check (app.current_task() = 'purge-tombstones');
grant select, insert, update on app.spaces to memory_app;

create table app.query_counts (
  space_id uuid not null references app.spaces,
  day      date not null,
  used     bigint not null check (used >= 0),
  primary key (space_id, day)
);
alter table app.query_counts enable row level security, force row level security;
create policy tenant on app.query_counts
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update on app.query_counts to memory_app;
