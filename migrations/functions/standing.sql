-- Standing texts: those that a context begins with whatever is asked. Protected ones, those of a category other than
-- `preference`, and those that are in many answers.

-- `patterns.use_step` of a pattern that was in so many answers; null for fewer than 16.
create or replace function app.use_step(p_answers bigint) returns smallint language sql immutable parallel safe
return case
  when p_answers >= 4096 then 5 when p_answers >= 1024 then 4 when p_answers >= 256 then 3
  when p_answers >= 64 then 2 when p_answers >= 16 then 1
end;

-- Raises `patterns.use_step` of texts to that of the answers that are counted of them.
create or replace function app.raise_use_steps(p_space uuid, p_idx integer[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  r record;
begin
  for r in
    select p.idx, app.use_step(x.access_count) as reached from app.named_patterns(p_space, p_idx) p
      cross join lateral (
        select a.access_count from app.pattern_accesses a where a.space_id = p_space and a.idx = p.idx limit 1
      ) as x
      where app.use_step(x.access_count) > coalesce(p.use_step, 0)
  loop
    update app.patterns p set use_step = r.reached where p.space_id = p_space and p.idx = r.idx;
  end loop;
end
$$;

-- Whether a text is among those that a context begins with while it is valid, as the indexes `patterns_standing` to
-- `patterns_standing_until_of_subject` have it.
create or replace function app.stands(p_text text, p_category text, p_protected boolean, p_use_step smallint)
returns boolean language sql immutable parallel safe
return p_text is not null and (p_protected or p_category is not null and p_category <> 'preference' or p_use_step is not null);

-- The idx of standing texts of one subject, or of those without a subject for null, that are valid now: of those without an end
-- the p_looked that matter most, and of the others the 1,024 that end first, of protected ones and of the rest, from which those that
-- matter are taken later: their order is that of their ends. Nothing that is over or yet to come is read, however much of it there is. The settings keep a planner without statistics from reading and
-- sorting all rows instead.
create or replace function app.standing_of_subject(p_space uuid, p_subject text, p_looked integer) returns setof integer
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_sort = off set enable_seqscan = off
set enable_bitmapscan = off as $$
begin
  if p_subject is null then
    return query
      (select p.idx from app.patterns p
        where p.space_id = p_space and p.subject is null and app.stands(p.text, p.category, p.protected, p.use_step)
          and p.valid_to is null and app.is_current(p.expires_at, null, p.enters_at)
        order by p.protected desc, p.use_step desc nulls last, p.idx desc limit p_looked)
      union all
      select u.idx from (values (true), (false)) as k (protected) cross join lateral (
        select p.idx from app.patterns p
          where p.space_id = p_space and p.subject is null and app.stands(p.text, p.category, p.protected, p.use_step)
            and p.protected = k.protected and p.valid_to > now() and app.is_current(p.expires_at, null, p.enters_at)
          order by p.valid_to limit 1024
      ) as u;
  else
    return query
      (select p.idx from app.patterns p
        where p.space_id = p_space and p.subject = p_subject and app.stands(p.text, p.category, p.protected, p.use_step)
          and p.valid_to is null and app.is_current(p.expires_at, null, p.enters_at)
        order by p.protected desc, p.use_step desc nulls last, p.idx desc limit p_looked)
      union all
      select u.idx from (values (true), (false)) as k (protected) cross join lateral (
        select p.idx from app.patterns p
          where p.space_id = p_space and p.subject = p_subject and app.stands(p.text, p.category, p.protected, p.use_step)
            and p.protected = k.protected and p.valid_to > now() and app.is_current(p.expires_at, null, p.enters_at)
          order by p.valid_to limit 1024
      ) as u;
  end if;
end
$$;

-- As `standing_of_subject`, of a whole space.
create or replace function app.standing_of_space(p_space uuid, p_looked integer) returns setof integer
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_sort = off set enable_seqscan = off
set enable_bitmapscan = off as $$
begin
  return query
    (select p.idx from app.patterns p
      where p.space_id = p_space and app.stands(p.text, p.category, p.protected, p.use_step)
        and p.valid_to is null and app.is_current(p.expires_at, null, p.enters_at)
      order by p.protected desc, p.use_step desc nulls last, p.idx desc limit p_looked)
    union all
    select u.idx from (values (true), (false)) as k (protected) cross join lateral (
      select p.idx from app.patterns p
        where p.space_id = p_space and app.stands(p.text, p.category, p.protected, p.use_step)
          and p.protected = k.protected and p.valid_to > now() and app.is_current(p.expires_at, null, p.enters_at)
        order by p.valid_to limit 1024
    ) as u;
end
$$;

-- Their ends have an index by now.
drop function if exists app.standing_until_superseded(uuid, text[], integer);

-- The standing texts that are valid now, those that matter most first: protected ones, then by `use_step`, then the newest.
-- Of each text its first p_chars characters. p_subjects null: of every subject; a null in it: those without a subject.
create or replace function app.standing_texts(p_space uuid, p_subjects text[], p_looked integer, p_chars integer)
returns table (idx integer, id text, external_id text, text text, is_cut boolean, at double precision)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  found integer[];
begin
  perform set_config('app.space_id', p_space::text, true);
  if p_subjects is null then
    found := array(select app.standing_of_space(p_space, p_looked));
  else
    found := array(
      select distinct s from unnest(p_subjects) as u (name)
        cross join lateral app.standing_of_subject(p_space, u.name, p_looked) as s
    );
  end if;
  return query
    select p.idx, p.id, p.external_id, left(p.text, p_chars), char_length(p.text) > p_chars,
           extract(epoch from p.occurred_at)::double precision * 1000
      from (
        -- However many subjects are given, no more texts are read than for one.
        select o.* from app.named_patterns(p_space, found) o
          where o.text is not null and app.is_current(o.expires_at, o.valid_to, o.enters_at)
          order by o.protected desc, o.use_step desc nulls last, o.idx desc limit p_looked
      ) as p;
end
$$;

-- The idx of patterns whose validity has ended since a time, the last first, p_count at most. p_subjects as in `standing_texts`.
drop function if exists app.ended_since(uuid, timestamptz, integer);
create or replace function app.ended_since(p_space uuid, p_subjects text[], p_since timestamptz, p_count integer)
returns setof integer language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx from app.patterns p
      where p.space_id = p_space and p.valid_to > p_since and p.valid_to <= now() and p.text is not null
        and (p_subjects is null or p.subject = any (p_subjects)
          or p.subject is null and array_position(p_subjects, null) is not null)
      order by p.valid_to desc limit p_count;
end
$$;

-- Those of some patterns that are texts and not yet to become valid.
create or replace function app.texts_among(p_space uuid, p_idx integer[]) returns setof integer
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query select p.idx from app.named_patterns(p_space, p_idx) p
    where p.text is not null and (p.enters_at is null or p.enters_at <= now());
end
$$;

-- When the oldest transaction of the service's began that may still store something, or this one where there is none. Its owner's
-- rights show it those of the other connections. One that has lasted for a minute stores nothing more: no statement may take so long.
create or replace function app.oldest_begin() returns timestamptz language sql volatile security definer
set search_path = pg_catalog, pg_temp as $$
  select least(now(), min(a.xact_start)) from pg_stat_activity a
    where a.datname = current_database() and a.xact_start > now() - interval '1 minute'
$$;
revoke all on function app.oldest_begin() from public;
grant execute on function app.oldest_begin() to memory_app;

-- From when on is told with `since` what a reader at the version did not see: a text has the time at which its transaction began,
-- which is later, or was under way before the version was read. Each statement of a volatile function sees what is committed by then.
create or replace function app.begin_reading(p_space uuid) returns table (as_of timestamptz, version bigint)
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
begin
  as_of := app.oldest_begin();
  version := app.space_version(p_space);
  return next;
end
$$;
