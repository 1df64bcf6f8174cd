-- Counts accesses as before, reading each pattern once and by its index: joined to a list alone, a planner without
-- statistics reads all patterns of the space, twice. What was counted is on the disk at the end of a statement with
-- p_settled, or of a later one.
create function app.record_accesses(
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
      select p.idx, p.tier, p.protected, p.created_at from app.patterns p
        where p.space_id = p_space and p.idx = any (p_idx)
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

-- For processes of an earlier release.
create or replace function app.record_accesses(
  p_space uuid, p_idx integer[], p_counts integer[], p_at timestamptz, p_half_life_s double precision default 604800
)
returns table (idx integer, tier text, protected boolean, access_score double precision, scored_at timestamptz)
language sql as $$
  select * from app.record_accesses(p_space, p_idx, p_counts, p_at, p_half_life_s, true)
$$;
