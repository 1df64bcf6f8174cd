-- Adds to what is counted as before, looking each space up: a planner that expects a hundred rows reads all spaces
-- instead, twice, which took 8 ms of every statement with 3,000 of them in the embedded database.
create or replace function app.record_usage(p_calls jsonb, p_latencies jsonb) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
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

-- Nobody looks for rows by these: their statistics took most of an analysis, which the embedded database makes in the
-- thread that answers.
alter table app.patterns alter column key set statistics 0, alter column value set statistics 0,
  alter column text set statistics 0;
alter table app.associations alter column weight set statistics 0, alter column at set statistics 0;
alter table app.signal_history alter column records set statistics 0;
alter table app.space_states alter column state set statistics 0;
alter table app.actor_traces alter column trace set statistics 0, alter column patterns set statistics 0;
alter table app.usage_latencies alter column bins set statistics 0, alter column counts set statistics 0;

-- The patterns of a space with these numbers, each looked up by its own key. Given a list, a planner without statistics,
-- such as that of a new installation, reads all patterns of the space instead, and keeps to that while it grows.
create function app.named_patterns(p_space uuid, p_idx integer[]) returns setof app.patterns language sql stable as $$
  select p.* from unnest(p_idx) as i (idx)
    cross join lateral (
      select o.* from app.patterns o where o.space_id = p_space and o.idx = i.idx limit 1
    ) as p
$$;

-- The functions that look patterns up by their numbers, as before.

create or replace function app.find_payloads(p_space uuid, p_idx integer[], p_values boolean)
returns table (idx integer, id text, text text, metadata text, value text, dimensions integer, source_dim integer)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.id, p.text, p.metadata::text,
           case when p_values then coalesce(p.value, p.key)::text end,
           vector_dims(p.key), p.source_dim
      from app.named_patterns(p_space, p_idx) p where p.expires_at is null or p.expires_at > now();
end
$$;

create or replace function app.find_keys(p_space uuid, p_idx integer[]) returns table (idx integer, key bytea)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, vector_send(p.key) from app.named_patterns(p_space, p_idx) p
      where p.expires_at is null or p.expires_at > now();
end
$$;

create or replace function app.find_tiered(p_space uuid, p_idx integer[], p_tier text)
returns table (idx integer, text text, tier text, last_accessed timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.text, p.tier, x.last_accessed
      from app.named_patterns(p_space, p_idx) p
      left join app.pattern_accesses x on x.space_id = p.space_id and x.idx = p.idx
      where (p.expires_at is null or p.expires_at > now()) and (p_tier is null or p.tier = p_tier);
end
$$;

create or replace function app.begin_learning(p_space uuid, p_actors bytea[], p_idx integer[])
returns table (organization_id uuid, created_at timestamptz, state jsonb, traces jsonb, alive integer[])
language plpgsql set plan_cache_mode = force_generic_plan as $$
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
           array(select p.idx from app.named_patterns(p_space, p_idx) p)
      from app.spaces s left join app.space_states e on e.space_id = s.id where s.id = p_space;
end
$$;

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
      select w.a, w.b, e.idx as one, w.weight * app.decay(w.at, p_at, p_half_life_s) as faded
        from ends e join app.associations w on w.space_id = p_space and w.a = e.idx
      union all
      select w.a, w.b, e.idx, w.weight * app.decay(w.at, p_at, p_half_life_s)
        from ends e join app.associations w on w.space_id = p_space and w.b = e.idx
    ), ranked as (
      select l.a, l.b, l.faded, row_number() over (partition by l.one order by l.faded desc, l.a, l.b) as rank
        from links l
    )
    delete from app.associations w using ranked r
      where (r.rank > p_degree or r.faded < p_least) and w.space_id = p_space and w.a = r.a and w.b = r.b;
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
      select t.source, t.target, t.count * app.decay(t.at, p_at, p_half_life_s) as faded
        from starts s join app.transitions t on t.space_id = p_space and t.source = s.idx
    ), ranked as (
      select s.source, s.target, s.faded,
             row_number() over (partition by s.source order by s.faded desc, s.target) as rank
        from steps s
    )
    delete from app.transitions t using ranked r
      where (r.rank > p_degree or r.faded < p_least)
        and t.space_id = p_space and t.source = r.source and t.target = r.target;
  end if;
  -- One that has been in no answer, or in one that is not counted yet.
  insert into app.pattern_accesses (space_id, idx, access_count, last_accessed, access_score, scored_at)
    select p_space, p.idx, 0, p_at, app.decay(p.created_at, p_at, p_access_half_life_s), p_at
      from app.named_patterns(p_space, p_idx) p
    on conflict (space_id, idx) do nothing;
  update app.pattern_accesses x
    set strength = least(1, greatest(0, n.slope * x.strength + n.shift)), engine_version = p_version
    from unnest(p_idx, p_slopes, p_offsets) as n (idx, slope, shift)
    where x.space_id = p_space and x.idx = n.idx;
  insert into app.actor_traces as t (space_id, actor, trace, patterns, at)
    select p_space, decode(n.key, 'hex'), n.value -> 'trace',
           array(select e::integer from jsonb_array_elements_text(n.value -> 'patterns') as e), p_at
      from jsonb_each(p_traces) as n
    on conflict (space_id, actor) do update set
      trace = excluded.trace, patterns = excluded.patterns, at = excluded.at;
end
$$;

create or replace function app.record_accesses(
  p_space uuid, p_idx integer[], p_counts integer[], p_at timestamptz, p_half_life_s double precision,
  p_settled boolean
)
returns table (idx integer, tier text, protected boolean, access_score double precision, scored_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform set_config('app.space_id', p_space::text, true);
  if not p_settled then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  perform from app.spaces s where s.id = p_space for share;
  -- Erased since: what was counted of it is nobody's.
  if not found then
    return;
  end if;
  return query
    with there as materialized (
      select p.idx, p.tier, p.protected, p.created_at from app.named_patterns(p_space, p_idx) p
    ), accessed as materialized (
      select t.idx, t.tier, t.protected, t.created_at, a.n
        from unnest(p_idx, p_counts) as a (idx, n) join there t on t.idx = a.idx
        order by t.idx
    ), counted as (
      insert into app.pattern_accesses as x (space_id, idx, access_count, last_accessed, access_score, scored_at)
        select p_space, a.idx, a.n, p_at, app.decay(a.created_at, p_at, p_half_life_s) + a.n, p_at from accessed a
        on conflict (space_id, idx) do update set
          access_count = x.access_count + excluded.access_count,
          last_accessed = greatest(x.last_accessed, excluded.last_accessed),
          access_score = x.access_score * app.decay(x.scored_at, excluded.scored_at, p_half_life_s)
            + excluded.access_count,
          scored_at = greatest(x.scored_at, excluded.scored_at)
    ), hits as (
      insert into app.tier_counters as t (space_id, hot_hits, warm_hits, cold_hits)
        select p_space, coalesce(sum(a.n) filter (where a.tier = 'hot'), 0),
               coalesce(sum(a.n) filter (where a.tier = 'warm'), 0),
               coalesce(sum(a.n) filter (where a.tier = 'cold'), 0)
          from accessed a
        on conflict (space_id) do update set
          hot_hits = t.hot_hits + excluded.hot_hits, warm_hits = t.warm_hits + excluded.warm_hits,
          cold_hits = t.cold_hits + excluded.cold_hits
    )
    -- As it was before this statement.
    select a.idx, a.tier, a.protected, coalesce(x.access_score, 1), coalesce(x.scored_at, a.created_at)
      from accessed a left join app.pattern_accesses x on x.space_id = p_space and x.idx = a.idx
      where a.tier <> 'hot';
end
$$;

-- As before, for the same reason.
create or replace function app.find_keys_by_id(p_space uuid, p_ids text[]) returns table (id text, key bytea)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.id, vector_send(p.key) from unnest(p_ids) as i (id)
      cross join lateral (
        select o.* from app.patterns o where o.space_id = p_space and o.id = i.id limit 1
      ) as p
      where p.expires_at is null or p.expires_at > now();
end
$$;
