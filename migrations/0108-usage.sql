-- How much of the service each space uses: queries of a day, requests, how long their answers took, and how much it held
-- when.

-- Queries by day in UTC, of the spaces whose plan limits them.
create table app.query_counts (
  space_id uuid not null references app.spaces,
  day      date not null,
  used     bigint not null check (used >= 0),
  primary key (space_id, day)
);
alter table app.query_counts enable row level security, force row level security;
create policy tenant on app.query_counts
  using (space_id = app.current_space()) with check (space_id = app.current_space());
-- Further back than any month that is summed up.
create policy purge on app.query_counts
  using (app.current_task() = 'keep-usage' and day < (now() at time zone 'utc')::date - 100);
grant select, insert, update, delete on app.query_counts to memory_app;

-- Requests that succeeded, by the hour in which they were answered; hours become days when they are a week old.
create table app.usage_calls (
  space_id       uuid not null references app.spaces on delete cascade,
  -- Begin of the hour or day, UTC.
  at             timestamptz not null,
  -- API key; the nil UUID for users with an access token.
  caller         uuid not null,
  stores         bigint not null,
  retrieves      bigint not null,
  recalls        bigint not null,
  explains       bigint not null,
  consolidations bigint not null,
  other          bigint not null,
  -- What they counted against the plan's day, on plans without a limit too.
  queries        bigint not null,
  primary key (space_id, at, caller)
);
create index usage_calls_by_age on app.usage_calls (at);
-- What is still to become days is found without reading a year of them.
create index usage_calls_hours on app.usage_calls (at)
  where at <> app.day_of(at);
alter table app.usage_calls enable row level security, force row level security;
create policy tenant on app.usage_calls
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy keep_usage on app.usage_calls
  using (app.current_task() = 'keep-usage') with check (app.current_task() = 'keep-usage');
grant select, insert, update, delete on app.usage_calls to memory_app;

-- How long answers took, as the bins of a DDSketch: every five minutes, and every hour when they are a day old.
create table app.usage_latencies (
  space_id  uuid not null references app.spaces on delete cascade,
  at        timestamptz not null,
  operation text not null check (operation in ('store', 'retrieve', 'recall', 'explain', 'consolidate')),
  -- Ascending, and how many answers fell into each.
  bins      integer[] not null,
  counts    bigint[] not null,
  primary key (space_id, at, operation),
  check (cardinality(bins) = cardinality(counts))
);
create index usage_latencies_by_age on app.usage_latencies (at);
create index usage_latencies_minutes on app.usage_latencies (at)
  where at <> app.hour_of(at);
alter table app.usage_latencies alter column bins set statistics 0, alter column counts set statistics 0;
alter table app.usage_latencies enable row level security, force row level security;
create policy tenant on app.usage_latencies
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy keep_usage on app.usage_latencies
  using (app.current_task() = 'keep-usage') with check (app.current_task() = 'keep-usage');
-- Which spaces are in use is known from what is counted of their requests.
create policy schedule on app.usage_latencies for select using (app.current_task() = 'schedule-spaces');
grant select, insert, update, delete on app.usage_latencies to memory_app;

-- What a space held when an hour (or, later, a day) ended; none where nothing had changed since the one before.
create table app.usage_snapshots (
  space_id      uuid not null references app.spaces on delete cascade,
  at            timestamptz not null,
  patterns      bigint not null,
  storage_bytes bigint not null,
  primary key (space_id, at)
);
create index usage_snapshots_by_age on app.usage_snapshots (at);
create index usage_snapshots_hours on app.usage_snapshots (at)
  where at <> app.day_of(at);
alter table app.usage_snapshots enable row level security, force row level security;
create policy tenant on app.usage_snapshots
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy keep_usage on app.usage_snapshots
  using (app.current_task() = 'keep-usage') with check (app.current_task() = 'keep-usage');
grant select, insert, update, delete on app.usage_snapshots to memory_app;
