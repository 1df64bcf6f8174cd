-- Tiers: how much each pattern is used, who moves from tier to tier, and what the answers came from.

-- New patterns are hot, so that storing them costs this index nothing.
create index patterns_by_tier on app.patterns (space_id, tier, idx) include (expires_at) where tier <> 'hot';

-- What a space's answers were made of: patterns by the tier they were held in, and moves between tiers.
create table app.tier_counters (
  space_id   uuid primary key references app.spaces,
  hot_hits   bigint not null default 0 check (hot_hits >= 0),
  warm_hits  bigint not null default 0 check (warm_hits >= 0),
  cold_hits  bigint not null default 0 check (cold_hits >= 0),
  promotions bigint not null default 0 check (promotions >= 0),
  demotions  bigint not null default 0 check (demotions >= 0)
);
alter table app.tier_counters enable row level security, force row level security;
create policy tenant on app.tier_counters
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update on app.tier_counters to memory_app;

-- What is left at one moment of a score of 1 at an earlier one. Half-lives are counted up to 1,000, which leaves
-- nothing: a smaller number than float8 holds is an error.
create function app.decay(p_from timestamptz, p_to timestamptz, p_half_life_s double precision)
returns double precision language sql immutable parallel safe
return 2 ^ -least(1000, greatest(0, extract(epoch from p_to - p_from))::double precision / p_half_life_s);

drop function app.record_accesses(uuid, integer[], integer[], timestamptz);
-- Adds what a second of answers gathered for one space: how often each pattern was in an answer. Returns how those that
-- are not hot were used before, as app.tier_states does. A delete in between would leave an access of nothing, or wait
-- for this in a circle, so the space's row is locked against changes, though not against other accesses. The half-life
-- that is given when none is, is for processes of an earlier release.
create function app.record_accesses(
  p_space uuid, p_idx integer[], p_counts integer[], p_at timestamptz, p_half_life_s double precision default 604800
)
returns table (idx integer, tier text, protected boolean, access_score double precision, scored_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform set_config('app.space_id', p_space::text, true);
  perform from app.spaces s where s.id = p_space for key share;
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

-- How those of p_count indexes that may move down are used; their store is an access. What is cold can not move, unless
-- it was protected since. Bounds on both sides: by idx and limit alone, a planner without statistics reads the whole
-- space for each part.
create function app.tier_states(p_space uuid, p_first_idx integer, p_count integer)
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

-- Moves patterns from tier to tier and returns how many; those that another has moved, deleted or protected meanwhile
-- stay. The space's row is locked first, as every change of a space does, and its version tells other processes.
create function app.migrate_tiers(p_space uuid, p_idx integer[], p_from text[], p_to text[]) returns integer
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  new_version bigint;
  promoted integer;
  demoted integer;
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.version + 1 into new_version from app.spaces s where s.id = p_space for update;
  with moved as (
    update app.patterns p set tier = m.to_tier, version = new_version
      from unnest(p_idx, p_from, p_to) as m (idx, from_tier, to_tier)
      where p.space_id = p_space and p.idx = m.idx and p.tier = m.from_tier
        and not (p.protected and m.to_tier = 'cold')
      returning m.from_tier = 'cold' or m.to_tier = 'hot' as upwards
  )
  select count(*) filter (where upwards), count(*) filter (where not upwards) into promoted, demoted from moved;
  if promoted + demoted > 0 then
    update app.spaces s set version = new_version where s.id = p_space;
    insert into app.tier_counters as t (space_id, promotions, demotions) values (p_space, promoted, demoted)
      on conflict (space_id) do update set
        promotions = t.promotions + excluded.promotions, demotions = t.demotions + excluded.demotions;
  end if;
  return promoted + demoted;
end
$$;

-- Indexes of the unexpired patterns of one tier that match the metadata filter (null: all do).
create function app.list_in_tier(p_space uuid, p_tier text, p_filter jsonb) returns integer[]
language plpgsql as $$
declare
  matching integer[];
begin
  perform set_config('app.space_id', p_space::text, true);
  execute format(
    $query$
      select coalesce(array_agg(p.idx), '{}') from app.patterns p
      where p.space_id = $1 and p.tier = %L and (p.expires_at is null or p.expires_at > now()) and %s
    $query$,
    p_tier, case when p_filter is null then 'true' else app.filter_condition(p_filter) end
  ) into matching using p_space;
  return matching;
end
$$;

-- What tiered answers show of patterns; those deleted, expired or (p_tier given) moved to another tier are left out.
create function app.find_tiered(p_space uuid, p_idx integer[], p_tier text)
returns table (idx integer, text text, tier text, last_accessed timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.text, p.tier, x.last_accessed
      from app.patterns p
      left join app.pattern_accesses x on x.space_id = p.space_id and x.idx = p.idx
      where p.space_id = p_space and p.idx = any (p_idx) and (p.expires_at is null or p.expires_at > now())
        and (p_tier is null or p.tier = p_tier);
end
$$;

-- Unexpired patterns of a space by tier. Hot ones, which are most, are what is left when the others are counted.
create function app.tier_distribution(p_space uuid) returns table (hot integer, warm integer, cold integer)
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

-- What a space's answers were made of; no row before the first.
create function app.tier_statistics(p_space uuid) returns setof app.tier_counters
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query select t.* from app.tier_counters t where t.space_id = p_space;
end
$$;

-- The index also learns the tier.
drop function app.load_patterns(uuid, integer, integer);
-- Rows for the resident index, in idx order: the vector as pgvector's binary form. A planner without statistics would
-- sort the whole space for each page: at 20,000 patterns that took twice as long as reading them in order.
create function app.load_patterns(p_space uuid, p_after_idx integer, p_count integer)
returns table (idx integer, key bytea, is_text boolean, source_dim integer, expires_at timestamptz, tier text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, vector_send(p.key), p.text is not null, p.source_dim, p.expires_at, p.tier from app.patterns p
    where p.space_id = p_space and p.idx > p_after_idx order by p.idx limit p_count;
end
$$;

drop function app.changed_patterns(uuid, bigint);
-- What changed after a version: rows stored, updated or moved to another tier, and (key null) rows deleted; one row
-- with idx null when nothing did. One statement, so that the space's version and floor are of the same moment as the
-- changes.
create function app.changed_patterns(p_space uuid, p_since bigint)
returns table (
  version bigint, history_floor bigint, idx integer, key bytea, is_text boolean, source_dim integer,
  expires_at timestamptz, tier text
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select s.version, s.history_floor, c.idx, c.key, c.is_text, c.source_dim, c.expires_at, c.tier
      from app.spaces s
      left join (
        select p.idx, vector_send(p.key) as key, p.text is not null as is_text, p.source_dim, p.expires_at, p.tier
          from app.patterns p where p.space_id = p_space and p.version > p_since
        union all
        select t.idx, null, null, null, null, null
          from app.pattern_tombstones t where t.space_id = p_space and t.version > p_since
      ) as c on true
      where s.id = p_space;
end
$$;
