-- What filters look at of patterns. How their statements are planned: see callers.sql.

-- Stable, as extract is: declared immutable it would be called for each value instead of being a part of its statement.
-- By way of an integer, since a numeric becomes a float by its digits.
create or replace function app.in_ms(p_time timestamptz) returns double precision language sql stable parallel safe
return floor(extract(epoch from p_time) * 1000)::bigint::double precision;

-- The reserved fields of a pattern, and its metadata as JSON text; times are in ms since 1970, as answers show them.
create or replace function app.document_of(p app.patterns)
returns table (
  idx integer, metadata text, subject text, external_id text, category text, tier text,
  created_at double precision, updated_at double precision, occurred_at double precision, expires_at double precision,
  valid_to double precision, enters_at double precision
)
language sql stable as $$
  select p.idx, p.metadata::text, p.subject, p.external_id, p.category, p.tier, app.in_ms(p.created_at),
    app.in_ms(coalesce(p.updated_at, p.created_at)), app.in_ms(p.occurred_at), app.in_ms(p.expires_at),
    app.in_ms(p.valid_to), app.in_ms(p.enters_at)
$$;

-- Rows for the metadata index, in idx order, those too that are expired or not valid now: it tells them apart by their times.
-- Sorting is off as in load_patterns.
create or replace function app.load_documents(p_space uuid, p_after_idx integer, p_count integer)
returns table (
  idx integer, metadata text, subject text, external_id text, category text, tier text,
  created_at double precision, updated_at double precision, occurred_at double precision, expires_at double precision,
  valid_to double precision, enters_at double precision
)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select d.* from app.patterns p cross join lateral app.document_of(p) d
      where p.space_id = p_space and p.idx > p_after_idx
      order by p.idx limit p_count;
end
$$;

-- What changed after a version; see changed_patterns. Of what is gone the tier is null.
create or replace function app.changed_documents(p_space uuid, p_since bigint)
returns table (
  version bigint, history_floor bigint, idx integer, metadata text, subject text, external_id text, category text,
  tier text, created_at double precision, updated_at double precision, occurred_at double precision,
  expires_at double precision, valid_to double precision, enters_at double precision
)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off as $$
declare
  until bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  until := app.changes_until(p_space, p_since);
  return query
    select least(s.version, until), s.history_floor, c.*
      from app.spaces s
      left join (
        (select d.* from app.patterns p cross join lateral app.document_of(p) d
          where p.space_id = p_space and p.version > p_since and p.version <= until order by p.version)
        union all
        select t.idx, null, null, null, null, null, null, null, null, null, null, null
          from app.pattern_tombstones t where t.space_id = p_space and t.version > p_since and t.version <= until
      ) as c on true
      where s.id = p_space;
end
$$;

-- Patterns by their numbers, with their texts; deleted or expired ones are left out.
create or replace function app.find_documents(p_space uuid, p_idx integer[])
returns table (
  idx integer, metadata text, subject text, external_id text, category text, tier text,
  created_at double precision, updated_at double precision, occurred_at double precision, expires_at double precision,
  valid_to double precision, enters_at double precision,
  text text
)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select d.*, p.text from app.named_patterns(p_space, p_idx) p cross join lateral app.document_of(p) d
      where p.expires_at is null or p.expires_at > now();
end
$$;
