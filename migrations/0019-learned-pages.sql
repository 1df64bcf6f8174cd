-- What a space has learned is read in pages, and of changes what is new only: a space whose hundred thousand patterns are
-- linked took longer than a statement may, and its store times were read again each second.

drop function app.learned_since(uuid, bigint);

-- What a space has learned after an engine version, as one document: state, store times of patterns after an idx, uses of
-- patterns, and of every pattern with a changed link all its links of that kind.
create function app.learned_since(p_space uuid, p_since bigint, p_stored_after integer)
returns table (engine_version bigint, created_at timestamptz, end_idx integer, learned json)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select s.engine_version, s.created_at, s.next_idx,
      json_build_object(
        'state', (select e.state from app.space_states e where e.space_id = p_space),
        'stored', (
          select coalesce(json_agg(json_build_array(
            t.first_idx, (extract(epoch from t.stored_at) * 1000)::bigint) order by t.first_idx), '[]')
            from app.store_times t where t.space_id = p_space and t.first_idx > p_stored_after
        ),
        'uses', (
          select coalesce(json_agg(json_build_array(
            x.idx, x.access_count, (extract(epoch from x.last_accessed) * 1000)::bigint, x.strength)), '[]')
            from app.pattern_accesses x where x.space_id = p_space and x.engine_version > p_since
        ),
        'associations', (
          with changed as (
            select w.a as idx from app.associations w where w.space_id = p_space and w.engine_version > p_since
            union
            select w.b from app.associations w where w.space_id = p_space and w.engine_version > p_since
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
            select distinct t.source from app.transitions t where t.space_id = p_space and t.engine_version > p_since
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
create function app.learned_page(p_space uuid, p_from integer, p_to integer) returns json
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

-- Adds what uses have taught, within the transaction that `begin_learning` began, of patterns that are there:
-- associations w -> 1 - (1 - w) k, where k is p_kept, transitions + p_counts, strengths s -> p_slopes s + p_offsets, each
-- after it has faded since it was written. What a pattern has beyond its p_degree strongest associations, and as many
-- transitions from it, is dropped, and what has faded below p_least. Traces are replaced.
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
      from app.patterns p where p.space_id = p_space and p.idx = any (p_idx)
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

-- Counts accesses as before. Learning writes the same rows, in another order: the lock that it and whoever stores or
-- forgets take of the space's row keeps counting out until they are done, and counting keeps them out, though not other
-- counting; otherwise each could wait for the other.
create or replace function app.record_accesses(
  p_space uuid, p_idx integer[], p_counts integer[], p_at timestamptz, p_half_life_s double precision default 604800
)
returns table (idx integer, tier text, protected boolean, access_score double precision, scored_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform set_config('app.space_id', p_space::text, true);
  perform from app.spaces s where s.id = p_space for share;
  return query
    select p.idx, p.tier, p.protected, coalesce(x.access_score, 1), coalesce(x.scored_at, p.created_at)
      from app.patterns p
      left join app.pattern_accesses x on x.space_id = p.space_id and x.idx = p.idx
      where p.space_id = p_space and p.idx = any (p_idx) and p.tier <> 'hot';
  insert into app.pattern_accesses as x (space_id, idx, access_count, last_accessed, access_score, scored_at)
    select p_space, a.idx, a.n, p_at, app.decay(p.created_at, p_at, p_half_life_s) + a.n, p_at
      from unnest(p_idx, p_counts) as a (idx, n)
      join app.patterns p on p.space_id = p_space and p.idx = a.idx
      order by a.idx
    on conflict (space_id, idx) do update set
      access_count = x.access_count + excluded.access_count,
      last_accessed = greatest(x.last_accessed, excluded.last_accessed),
      access_score = x.access_score * app.decay(x.scored_at, excluded.scored_at, p_half_life_s)
        + excluded.access_count,
      scored_at = greatest(x.scored_at, excluded.scored_at);
  insert into app.tier_counters as t (space_id, hot_hits, warm_hits, cold_hits)
    select p_space, coalesce(sum(a.n) filter (where p.tier = 'hot'), 0),
           coalesce(sum(a.n) filter (where p.tier = 'warm'), 0),
           coalesce(sum(a.n) filter (where p.tier = 'cold'), 0)
      from unnest(p_idx, p_counts) as a (idx, n)
      join app.patterns p on p.space_id = p_space and p.idx = a.idx
    on conflict (space_id) do update set
      hot_hits = t.hot_hits + excluded.hot_hits, warm_hits = t.warm_hits + excluded.warm_hits,
      cold_hits = t.cold_hits + excluded.cold_hits;
end
$$;
