-- How much each pattern is used, which patterns move from tier to tier, and from which tiers the answers came.

-- What is left at one moment of a score of 1 at an earlier one. Half-lives are counted up to 1,000, which leaves
-- nothing: a smaller number than float8 holds is an error.
create or replace function app.decay(p_from timestamptz, p_to timestamptz, p_half_life_s double precision)
returns double precision language sql immutable parallel safe
return 2 ^ -least(1000, greatest(0, extract(epoch from p_to - p_from))::double precision / p_half_life_s);

-- Adds what a second of answers gathered for one space: how often each pattern was in an answer.
-- @param p_settled whether the commit waits until it is on the disk; else it gets there with the next one that waits, or a moment
-- later
-- @returns how those that are not hot were used before, in the form of `tier_states`
--
-- Counting, learning, storing and forgetting lock the space's row before they write, so that only one of them runs at a time:
-- a delete meanwhile would leave an access of a pattern that is gone, and learning, which writes the same rows in another
-- order, could wait for counting while counting waits for it. Counting raises the space's engine version, once, and writes it
-- into the rows: by it the copies of what is learned, in this process and others, find what they lack. Each pattern is read
-- once and by its index; its counts are joined without a nested loop, since a second of answers may name thousands.
create or replace function app.record_accesses(
  p_space uuid, p_idx integer[], p_counts integer[], p_at timestamptz, p_half_life_s double precision,
  p_settled boolean
)
returns table (idx integer, tier text, protected boolean, access_score double precision, scored_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_nestloop = off as $$
#variable_conflict use_column
declare
  r record;
  new_version bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  if not p_settled then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  update app.spaces s set engine_version = app.next_engine_version(s.engine_version) where s.id = p_space
    returning s.engine_version into new_version;
  -- The space was erased meanwhile.
  if not found then
    return;
  end if;
  for r in
    with accessed as materialized (
      select p.idx, p.tier, p.protected, p.created_at, p.use_step, p.text is not null as is_text, a.n
        from unnest(p_idx, p_counts) as a (idx, n) cross join lateral app.named_patterns(p_space, array[a.idx]) p
        order by p.idx
    ), counted as (
      insert into app.pattern_accesses as x
        (space_id, idx, access_count, last_accessed, access_score, scored_at, engine_version)
        select p_space, a.idx, a.n, p_at, app.decay(a.created_at, p_at, p_half_life_s) + a.n, p_at, new_version
          from accessed a
        on conflict (space_id, idx) do update set
          access_count = x.access_count + excluded.access_count,
          last_accessed = greatest(x.last_accessed, excluded.last_accessed),
          access_score = x.access_score * app.decay(x.scored_at, excluded.scored_at, p_half_life_s)
            + excluded.access_count,
          scored_at = greatest(x.scored_at, excluded.scored_at), engine_version = excluded.engine_version
        returning x.idx, x.access_count
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
    -- All parts of a statement read the same snapshot, so tiers and scores are those before it.
    select a.idx, a.tier, a.protected, coalesce(x.access_score, 1) as access_score,
           coalesce(x.scored_at, a.created_at) as scored_at,
           case when a.is_text and app.use_step(c.access_count) > coalesce(a.use_step, 0)
             then app.use_step(c.access_count) end as reached
      from accessed a join counted c on c.idx = a.idx
      left join lateral (
        select o.access_score, o.scored_at from app.pattern_accesses o
          where o.space_id = p_space and o.idx = a.idx limit 1
      ) as x on true
  loop
    -- Written only when a step is reached, so a few times in the life of a text. A row that another transaction has locked is
    -- left: its step follows with its next answer, and neither waits for the other.
    if r.reached is not null then
      perform from app.patterns p where p.space_id = p_space and p.idx = r.idx for no key update skip locked;
      if found then
        update app.patterns p set use_step = r.reached where p.space_id = p_space and p.idx = r.idx;
      end if;
    end if;
    if r.tier <> 'hot' then
      idx := r.idx; tier := r.tier; protected := r.protected; access_score := r.access_score;
      scored_at := r.scored_at;
      return next;
    end if;
  end loop;
end
$$;

-- Stores accesses as a row that `count_kept_accesses` counts later. @returns its id; null for a space that is gone
create or replace function app.keep_accesses(p_space uuid, p_at timestamptz, p_idx integer[], p_counts integer[]) returns bigint
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  kept bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  insert into app.uncounted_accesses (space_id, at, idx, counts)
    select s.id, p_at, p_idx, p_counts from app.spaces s where s.id = p_space
    returning id into kept;
  return kept;
end
$$;

-- Counts a row of `keep_accesses` and removes it, so that it is counted once. The commit need not wait for the disk: if it is
-- lost, the row is still there. @returns as `record_accesses`; nothing where another process has counted it
create or replace function app.count_kept_accesses(p_space uuid, p_id bigint, p_half_life_s double precision)
returns table (idx integer, tier text, protected boolean, access_score double precision, scored_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  kept app.uncounted_accesses;
begin
  perform set_config('app.space_id', p_space::text, true);
  -- Before the row of accesses, in the order in which erasing a space locks them, and as strongly as `record_accesses` does:
  -- two transactions that made a weaker lock stronger would wait for each other.
  perform from app.spaces s where s.id = p_space for no key update;
  delete from app.uncounted_accesses u where u.space_id = p_space and u.id = p_id returning * into kept;
  if found then
    return query
      select * from app.record_accesses(p_space, kept.idx, kept.counts, kept.at, p_half_life_s, false);
  end if;
end
$$;

-- How the patterns from p_first_idx to p_first_idx + p_count - 1 that may move to another tier are used; that they were
-- stored counts as an access. Cold ones stay where they are, unless they are protected, which moves them up. Both ends are
-- bounds: with the first and a limit, a planner without statistics reads the whole space for each part.
create or replace function app.tier_states(p_space uuid, p_first_idx integer, p_count integer)
returns table (idx integer, tier text, protected boolean, access_score double precision, scored_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.tier, p.protected, coalesce(x.access_score, 1), coalesce(x.scored_at, p.created_at)
      from app.patterns p
      left join app.pattern_accesses x on x.space_id = p.space_id and x.idx = p.idx
      where p.space_id = p_space and p.idx >= p_first_idx and p.idx < p_first_idx + p_count
        and (p.tier <> 'cold' or p.protected);
end
$$;

-- Moves patterns from tier to tier, but for those that another transaction has moved, deleted or protected meanwhile. The
-- space's row is locked first, as by every change of a space, and its new version tells other processes.
-- @returns how many it moved
create or replace function app.migrate_tiers(p_space uuid, p_idx integer[], p_from text[], p_to text[]) returns integer
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  new_version bigint;
  promoted integer := 0;
  demoted integer := 0;
  first_idx integer;
  last_idx integer;
  move record;
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.version + 1 into new_version from app.spaces s where s.id = p_space for no key update;
  -- A few are updated one by one, each by its key: for a join with a list, a planner that takes the space for a small one
  -- reads all of it. Many are updated by one statement, between the bounds of their idx.
  if cardinality(p_idx) <= 50 then
    for move in select * from unnest(p_idx, p_from, p_to) as each (idx, from_tier, to_tier) loop
      update app.patterns p set tier = move.to_tier, version = new_version
        where p.space_id = p_space and p.idx = move.idx and p.tier = move.from_tier
          and not (p.protected and move.to_tier = 'cold');
      if found and (move.from_tier = 'cold' or move.to_tier = 'hot') then
        promoted := promoted + 1;
      elsif found then
        demoted := demoted + 1;
      end if;
    end loop;
  else
    select min(i), max(i) into first_idx, last_idx from unnest(p_idx) as i;
    with moved as (
      update app.patterns p set tier = m.to_tier, version = new_version
        from unnest(p_idx, p_from, p_to) as m (idx, from_tier, to_tier)
        where p.space_id = p_space and p.idx = m.idx and p.tier = m.from_tier
          and p.idx >= first_idx and p.idx <= last_idx and not (p.protected and m.to_tier = 'cold')
        returning m.from_tier = 'cold' or m.to_tier = 'hot' as upwards
    )
    select count(*) filter (where upwards), count(*) filter (where not upwards) into promoted, demoted from moved;
  end if;
  if promoted + demoted > 0 then
    update app.spaces s set version = new_version where s.id = p_space;
    insert into app.tier_counters as t (space_id, promotions, demotions) values (p_space, promoted, demoted)
      on conflict (space_id) do update set
        promotions = t.promotions + excluded.promotions, demotions = t.demotions + excluded.demotions;
  end if;
  return promoted + demoted;
end
$$;

-- What tiered answers show of patterns. Left out are those that are deleted, expired or not valid now and, with p_tier, those
-- of another tier.
create or replace function app.find_tiered(p_space uuid, p_idx integer[], p_tier text)
returns table (idx integer, text text, tier text, last_accessed timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.text, p.tier, x.last_accessed
      from app.named_patterns(p_space, p_idx) p
      left join app.pattern_accesses x on x.space_id = p.space_id and x.idx = p.idx
      where app.is_current(p.expires_at, p.valid_to, p.enters_at) and (p_tier is null or p.tier = p_tier);
end
$$;

-- How many unexpired patterns a space has in each tier. Only warm and cold ones are counted: hot ones, which are most, are the
-- rest.
create or replace function app.tier_distribution(p_space uuid) returns table (hot integer, warm integer, cold integer)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    with counted as (
      select
        (select count(*) from app.patterns p where p.space_id = p_space and p.tier = 'warm'
          and (p.expires_at is null or p.expires_at > now())) as warm,
        (select count(*) from app.patterns p where p.space_id = p_space and p.tier = 'cold'
          and (p.expires_at is null or p.expires_at > now())) as cold,
        -- Expired and not erased yet: at most a minute's worth.
        (select count(*) from app.patterns p where p.space_id = p_space and p.expires_at <= now()) as expired
    )
    select (s.patterns_used - c.expired - c.warm - c.cold)::integer, c.warm::integer, c.cold::integer
      from app.spaces s, counted c where s.id = p_space;
end
$$;

-- From which tiers a space's answers came, and how many patterns moved; no row before the first of either.
create or replace function app.tier_statistics(p_space uuid) returns setof app.tier_counters
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query select t.* from app.tier_counters t where t.space_id = p_space;
end
$$;
