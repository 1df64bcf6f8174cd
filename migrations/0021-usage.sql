-- How much of the service each space uses: requests, how long their answers took, and how much it held when.

-- In UTC, whatever the session's time zone is.
create function app.day_of(p_at timestamptz) returns timestamptz language sql immutable parallel safe
  return date_bin('1 day', p_at, timestamptz '1970-01-01 00:00+00');
create function app.hour_of(p_at timestamptz) returns timestamptz language sql immutable parallel safe
  return date_bin('1 hour', p_at, timestamptz '1970-01-01 00:00+00');

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
alter table app.usage_latencies enable row level security, force row level security;
create policy tenant on app.usage_latencies
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy keep_usage on app.usage_latencies
  using (app.current_task() = 'keep-usage') with check (app.current_task() = 'keep-usage');
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

create policy keep_usage on app.spaces for select using (app.current_task() = 'keep-usage');

-- Merges two sketches: what is in one bin of both adds up.
create function app.merge_bins(a_bins integer[], a_counts bigint[], b_bins integer[], b_counts bigint[])
returns table (bins integer[], counts bigint[]) language sql immutable parallel safe as $$
  select array_agg(m.bin order by m.bin), array_agg(m.n order by m.bin) from (
    select e.bin, sum(e.n)::bigint as n from (
      select * from unnest(a_bins, a_counts) union all select * from unnest(b_bins, b_counts)
    ) as e (bin, n) group by e.bin
  ) as m
$$;

-- Adds what a process counted in about a second, for all spaces at once and always in the same order, so that two
-- processes never wait for each other in a circle. Spaces that were erased meanwhile are passed over.
create function app.record_usage(p_calls jsonb, p_latencies jsonb) returns void language plpgsql as $$
begin
  perform set_config('app.task', 'keep-usage', true);
  insert into app.usage_calls as u
      (space_id, at, caller, stores, retrieves, recalls, explains, consolidations, other, queries)
    select n.space_id, n.at, n.caller, n.stores, n.retrieves, n.recalls, n.explains, n.consolidations, n.other, n.queries
      from jsonb_to_recordset(p_calls) as n (
        space_id uuid, at timestamptz, caller uuid, stores bigint, retrieves bigint, recalls bigint, explains bigint,
        consolidations bigint, other bigint, queries bigint
      )
      join app.spaces s on s.id = n.space_id
      order by n.space_id, n.at, n.caller
    on conflict (space_id, at, caller) do update set
      stores = u.stores + excluded.stores, retrieves = u.retrieves + excluded.retrieves,
      recalls = u.recalls + excluded.recalls, explains = u.explains + excluded.explains,
      consolidations = u.consolidations + excluded.consolidations, other = u.other + excluded.other,
      queries = u.queries + excluded.queries;
  insert into app.usage_latencies as l (space_id, at, operation, bins, counts)
    select n.space_id, n.at, n.operation, n.bins, n.counts
      from jsonb_to_recordset(p_latencies) as n (
        space_id uuid, at timestamptz, operation text, bins integer[], counts bigint[]
      )
      join app.spaces s on s.id = n.space_id
      order by n.space_id, n.at, n.operation
    on conflict (space_id, at, operation) do update set
      (bins, counts) = (select m.bins, m.counts from app.merge_bins(l.bins, l.counts, excluded.bins, excluded.counts) m);
end
$$;
