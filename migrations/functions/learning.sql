-- What a space learns, and the reading of what it has learned.
--
-- Statements are planned once, maybe while the tables are empty: a join is then planned as if to read all that a space has
-- learned were cheap, and does so each time. `limit cardinality(…)` on rows that are given, of which the planner expects
-- one then, and `offset 0` have each row looked up by its key.

-- The engine version that follows one: higher than any that was given before, also than those that a crash of the database took
-- back. What is learned and counted need not be on the disk when others read it: given again, to other rows, a version would hide
-- these from a copy that was at it already. So it is the time in microseconds.
create or replace function app.next_engine_version(p_version bigint) returns bigint language sql volatile
return greatest(p_version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint);

-- Begins to learn: locks the space against whoever else learns, stores or forgets, and gives what learning starts from,
-- and which of the patterns that were used are still there, with the strengths that they have got. No state before the first time.
drop function if exists app.begin_learning(uuid, bytea[], integer[]);
create function app.begin_learning(p_space uuid, p_actors bytea[], p_idx integer[])
returns table (
  organization_id uuid, created_at timestamptz, state jsonb, traces jsonb, alive integer[], strengths jsonb
)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  -- Of the organization is the event that tells of a new regime.
  perform set_config('app.organization_id', s.organization_id::text, true)
    from app.spaces s where s.id = p_space for no key update of s;
  return query
    select s.organization_id, s.created_at, e.state,
           coalesce((
             select jsonb_object_agg(encode(t.actor, 'hex'), t.trace)
               from app.actor_traces t where t.space_id = p_space and t.actor = any (p_actors)
           ), '{}'),
           array(select p.idx from app.named_patterns(p_space, p_idx) p),
           coalesce((
             select jsonb_object_agg(x.idx, x.strength)
               from (select u as idx from unnest(p_idx) as u limit cardinality(p_idx)) as n
               join app.pattern_accesses x on x.space_id = p_space and x.idx = n.idx
           ), '{}')
      from app.spaces s left join app.space_states e on e.space_id = s.id where s.id = p_space;
end
$$;

-- Adds what uses have taught, within the transaction that `begin_learning` began, of patterns that are there:
-- associations w -> 1 - (1 - w) k, where k is p_kept, and transitions + p_counts, each after it has faded since it was written;
-- strengths become p_offsets (p_slopes s + p_offsets for the release before, which does not read them first). What a pattern has
-- beyond its p_degree strongest associations, and as many transitions from it, is dropped, and what has faded below p_least. Traces
-- are replaced.
create or replace function app.learn(
  p_space uuid, p_version bigint, p_at timestamptz, p_half_life_s double precision, p_least double precision,
  p_degree integer,
  p_a integer[], p_b integer[], p_kept double precision[],
  p_sources integer[], p_targets integer[], p_counts double precision[],
  p_idx integer[], p_slopes double precision[], p_offsets double precision[], p_access_half_life_s double precision,
  p_traces jsonb
)
returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  doomed record;
begin
  perform set_config('app.space_id', p_space::text, true);
  if cardinality(p_a) > 0 then
    insert into app.associations as w (space_id, a, b, weight, at, engine_version)
      select p_space, n.a, n.b, 1 - n.kept, p_at, p_version
        from unnest(p_a, p_b, p_kept) as n (a, b, kept)
      on conflict (space_id, a, b) do update set
        weight = 1 - (1 - w.weight * app.decay(w.at, excluded.at, p_half_life_s)) * (1 - excluded.weight),
        at = greatest(w.at, excluded.at), engine_version = excluded.engine_version;
    with ends as materialized (
      select distinct u as idx from unnest(p_a || p_b) as u
    ), links as materialized (
      select l.a, l.b, e.idx as one, l.weight * app.decay(l.at, p_at, p_half_life_s) as faded
        from ends e cross join lateral (
          (select w.a, w.b, w.weight, w.at from app.associations w where w.space_id = p_space and w.a = e.idx offset 0)
          union all
          (select w.a, w.b, w.weight, w.at from app.associations w where w.space_id = p_space and w.b = e.idx offset 0)
        ) as l
    ), ranked as (
      select l.a, l.b, l.faded, row_number() over (partition by l.one order by l.faded desc, l.a, l.b) as rank
        from links l
    )
    select coalesce(array_agg(k.a), '{}') as a, coalesce(array_agg(k.b), '{}') as b into doomed
      from ranked k where k.rank > p_degree or k.faded < p_least;
    delete from app.associations w
      using (select * from unnest(doomed.a, doomed.b) as n (a, b) limit cardinality(doomed.a)) as d
      where w.space_id = p_space and w.a = d.a and w.b = d.b;
  end if;
  if cardinality(p_sources) > 0 then
    insert into app.transitions as t (space_id, source, target, count, at, engine_version)
      select p_space, n.source, n.target, n.count, p_at, p_version
        from unnest(p_sources, p_targets, p_counts) as n (source, target, count)
      on conflict (space_id, source, target) do update set
        count = t.count * app.decay(t.at, excluded.at, p_half_life_s) + excluded.count,
        at = greatest(t.at, excluded.at), engine_version = excluded.engine_version;
    with starts as materialized (
      select distinct u as idx from unnest(p_sources) as u
    ), steps as materialized (
      select x.source, x.target, x.count * app.decay(x.at, p_at, p_half_life_s) as faded
        from starts s cross join lateral (
          select t.source, t.target, t.count, t.at from app.transitions t
            where t.space_id = p_space and t.source = s.idx offset 0
        ) as x
    ), ranked as (
      select s.source, s.target, s.faded,
             row_number() over (partition by s.source order by s.faded desc, s.target) as rank
        from steps s
    )
    select coalesce(array_agg(k.source), '{}') as source, coalesce(array_agg(k.target), '{}') as target into doomed
      from ranked k where k.rank > p_degree or k.faded < p_least;
    delete from app.transitions t
      using (select * from unnest(doomed.source, doomed.target) as n (source, target) limit cardinality(doomed.source)) as d
      where t.space_id = p_space and t.source = d.source and t.target = d.target;
  end if;
  -- One that has been in no answer, or in one that is not counted yet.
  insert into app.pattern_accesses (space_id, idx, access_count, last_accessed, access_score, scored_at)
    select p_space, n.idx, 0, null, app.decay(p.created_at, p_at, p_access_half_life_s), p_at
      from unnest(p_idx) as n (idx) cross join lateral (
        select o.created_at from app.patterns o where o.space_id = p_space and o.idx = n.idx limit 1
      ) as p
      where not exists (select from app.pattern_accesses x where x.space_id = p_space and x.idx = n.idx offset 0)
    on conflict (space_id, idx) do nothing;
  update app.pattern_accesses x
    set strength = least(1, greatest(0, n.slope * x.strength + n.shift)), engine_version = p_version
    from (
      select * from unnest(p_idx, p_slopes, p_offsets) as n (idx, slope, shift) limit cardinality(p_idx)
    ) as n
    where x.space_id = p_space and x.idx = n.idx;
  insert into app.actor_traces as t (space_id, actor, trace, patterns, at)
    select p_space, decode(n.key, 'hex'), n.value -> 'trace',
           array(select e::integer from jsonb_array_elements_text(n.value -> 'patterns') as e), p_at
      from jsonb_each(p_traces) as n
    on conflict (space_id, actor) do update set
      trace = excluded.trace, patterns = excluded.patterns, at = excluded.at;
end
$$;

-- Writes the state and its last observations, of which p_history are kept. @returns the space's new engine version
create or replace function app.save_state(p_space uuid, p_state jsonb, p_records jsonb, p_history integer) returns bigint
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  new_version bigint;
  last_n bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  update app.spaces s set engine_version = app.next_engine_version(s.engine_version) where s.id = p_space
    returning s.engine_version into new_version;
  insert into app.space_states as e (space_id, state) values (p_space, p_state)
    on conflict (space_id) do update set state = excluded.state;
  if jsonb_array_length(p_records) > 0 then
    select coalesce(max(h.n), 0) + jsonb_array_length(p_records) into last_n
      from app.signal_history h where h.space_id = p_space;
    insert into app.signal_history (space_id, n, records) values (p_space, last_n, p_records);
    delete from app.signal_history h where h.space_id = p_space and h.n <= last_n - p_history;
  end if;
  return new_version;
end
$$;

-- Forgets what was asked of a space, also where the transaction is of a subject: of the state p_parts are as they were before any
-- search. `forgotten` says so to processes that have yet to write what was asked before, also where there is no state but p_unused.
create or replace function app.forget_searches(p_space uuid, p_unused jsonb, p_parts jsonb) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  subject text := app.leave_subject();
  forgotten jsonb;
begin
  update app.spaces s set engine_version = app.next_engine_version(s.engine_version) where s.id = p_space
    returning jsonb_build_object('forgotten', s.engine_version) into forgotten;
  insert into app.space_states as e (space_id, state) values (p_space, p_unused || forgotten)
    on conflict (space_id) do update set state = e.state || p_parts || forgotten;
  perform app.return_to_subject(subject);
end
$$;

-- Rows that hold the last p_count observations, oldest first; the first of them may hold some before these.
create or replace function app.last_signals(p_space uuid, p_count integer) returns setof jsonb
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select h.records from app.signal_history h
      where h.space_id = p_space and h.n > (
        select max(l.n) from app.signal_history l where l.space_id = p_space
      ) - p_count
      order by h.n;
end
$$;

-- Up to which engine version a statement tells what was learned after another: some two thousand changes and all others of
-- the last one's version; see changes_until.
create or replace function app.learned_until(p_space uuid, p_since bigint) returns bigint
language sql stable set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
  select coalesce((select c.engine_version from (
    (select x.engine_version from app.pattern_accesses x where x.space_id = p_space and x.engine_version > p_since
      order by x.engine_version limit 2000)
    union all
    (select w.engine_version from app.associations w where w.space_id = p_space and w.engine_version > p_since
      order by w.engine_version limit 2000)
    union all
    (select t.engine_version from app.transitions t where t.space_id = p_space and t.engine_version > p_since
      order by t.engine_version limit 2000)
  ) as c order by c.engine_version offset 1999 limit 1), 9223372036854775807)
$$;

-- What a space has learned after an engine version, up to the one that is told, as one document: state, the first p_stored store
-- times (null: all) of patterns after an idx, uses of patterns, and of every pattern with a changed link all its links of that kind;
-- `more` says that there are changes after the version that is told.
create or replace function app.learned_since(p_space uuid, p_since bigint, p_stored_after integer, p_stored integer)
returns table (engine_version bigint, created_at timestamptz, end_idx integer, learned json)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  until bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  until := app.learned_until(p_space, p_since);
  return query
    select least(s.engine_version, until), s.created_at, s.next_idx,
      json_build_object(
        'more', until < s.engine_version,
        'state', (select e.state from app.space_states e where e.space_id = p_space),
        'stored', (
          select coalesce(json_agg(json_build_array(
            t.first_idx, (extract(epoch from t.stored_at) * 1000)::bigint) order by t.first_idx), '[]')
            from (
              select o.first_idx, o.stored_at from app.store_times o where o.space_id = p_space and o.first_idx > p_stored_after
                order by o.first_idx limit p_stored
            ) as t
        ),
        'uses', (
          select coalesce(json_agg(json_build_array(
            x.idx, x.access_count, (extract(epoch from x.last_accessed) * 1000)::bigint, x.strength)), '[]')
            from app.pattern_accesses x where x.space_id = p_space and x.engine_version > p_since and x.engine_version <= until
        ),
        'associations', (
          with changed as (
            select w.a as idx from app.associations w
              where w.space_id = p_space and w.engine_version > p_since and w.engine_version <= until
            union
            select w.b from app.associations w
              where w.space_id = p_space and w.engine_version > p_since and w.engine_version <= until
          )
          select coalesce(json_agg(json_build_array(
            c.idx, l.other, l.weight, (extract(epoch from l.at) * 1000)::bigint)), '[]')
            from changed c
            cross join lateral (
              select w.b as other, w.weight, w.at from app.associations w where w.space_id = p_space and w.a = c.idx
              union all
              select w.a, w.weight, w.at from app.associations w where w.space_id = p_space and w.b = c.idx
            ) as l
        ),
        'transitions', (
          with changed as (
            select distinct t.source from app.transitions t
              where t.space_id = p_space and t.engine_version > p_since and t.engine_version <= until
          )
          select coalesce(json_agg(json_build_array(
            t.source, t.target, t.count, (extract(epoch from t.at) * 1000)::bigint)), '[]')
            from changed c
            join app.transitions t on t.space_id = p_space and t.source = c.source
        )
      )
      from app.spaces s where s.id = p_space;
end
$$;

-- What is learned of the patterns from p_from up to, not with, p_to: their uses, the associations of which each is `a`,
-- and the transitions from it. What changes meanwhile has a later engine version.
create or replace function app.learned_page(p_space uuid, p_from integer, p_to integer) returns json
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return json_build_object(
    'uses', (
      select coalesce(json_agg(json_build_array(
        x.idx, x.access_count, (extract(epoch from x.last_accessed) * 1000)::bigint, x.strength)), '[]')
        from app.pattern_accesses x where x.space_id = p_space and x.idx >= p_from and x.idx < p_to
    ),
    'associations', (
      select coalesce(json_agg(json_build_array(
        w.a, w.b, w.weight, (extract(epoch from w.at) * 1000)::bigint)), '[]')
        from app.associations w where w.space_id = p_space and w.a >= p_from and w.a < p_to
    ),
    'transitions', (
      select coalesce(json_agg(json_build_array(
        t.source, t.target, t.count, (extract(epoch from t.at) * 1000)::bigint)), '[]')
        from app.transitions t where t.space_id = p_space and t.source >= p_from and t.source < p_to
    )
  );
end
$$;
