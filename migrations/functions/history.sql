-- What was recorded of patterns at a time, and what of it was valid then. How their statements are planned: see callers.sql.

-- From when on what a pattern tells holds: from when it occurred where nobody said, but never from after its end.
create or replace function app.begins_at(p_valid_from timestamptz, p_occurred timestamptz, p_valid_to timestamptz)
returns timestamptz language sql immutable parallel safe
return coalesce(p_valid_from, least(p_occurred, p_valid_to));

-- The patterns of a part of a space as they were at p_at (null: as they are), from p_first up to p_end: each in the version
-- then current. What has expired since is in none, a version by its own time or with its pattern; p_all has those too that were
-- not valid then. Times are compared as answers show them.
create or replace function app.patterns_at(p_space uuid, p_at timestamptz, p_all boolean, p_first integer, p_end integer)
returns table (
  idx integer, id text, text text, metadata jsonb, key vector, value vector, source_dim integer, subject text,
  external_id text, category text, tier text, created_at timestamptz, updated_at timestamptz, occurred_at timestamptz,
  expires_at timestamptz, valid_from timestamptz, valid_to timestamptz, superseded_by text, revision integer
)
language sql stable as $$
  select r.* from (
    select p.idx, p.id, p.text, p.metadata, p.key, p.value, p.source_dim, p.subject, p.external_id, p.category, p.tier,
        p.created_at, coalesce(p.updated_at, p.created_at) as updated_at, p.occurred_at, p.expires_at, p.valid_from,
        p.valid_to, p.superseded_by, p.revision
      from app.patterns p
      where p.space_id = p_space and p.idx >= p_first and p.idx < p_end
        and (p.expires_at is null or p.expires_at > now())
        and (p_at is null or date_trunc('milliseconds', coalesce(p.updated_at, p.created_at)) <= p_at)
    union all
    select v.idx, p.id, v.text, v.metadata, v.key, v.value, v.source_dim, v.subject, v.external_id, v.category, p.tier,
        p.created_at, v.changed_at, v.occurred_at, v.expires_at, v.valid_from, v.valid_to, null, v.revision
      from app.pattern_versions v join app.patterns p on p.space_id = v.space_id and p.idx = v.idx
      where v.space_id = p_space and v.idx >= p_first and v.idx < p_end and v.redacted_at is null
        and (p.expires_at is null or p.expires_at > now()) and (v.expires_at is null or v.expires_at > now())
        and date_trunc('milliseconds', v.changed_at) <= p_at and date_trunc('milliseconds', v.replaced_at) > p_at
  ) as r
  where (r.expires_at is null or r.expires_at > coalesce(p_at, now()))
    and (p_all or (r.valid_from is null or date_trunc('milliseconds', r.valid_from) <= coalesce(p_at, now()))
      and (r.valid_to is null or date_trunc('milliseconds', r.valid_to) > coalesce(p_at, now())))
$$;

-- What a pattern took the place of, or was followed by (p_id), where it is still there and the transaction may see it: the two
-- need not be of one end user, once one of them is moved. No function call where there is no link (strict).
create or replace function app.shown_link(p_space uuid, p_id text) returns text language plpgsql strict
set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return (
    select p.id from app.patterns p
      where p.space_id = p_space and p.id = p_id and (p.expires_at is null or p.expires_at > now()) limit 1
  );
end
$$;

-- What filters look at of them; see document_of.
create or replace function app.documents_at(
  p_space uuid, p_at timestamptz, p_all boolean, p_first integer, p_end integer
)
returns table (
  idx integer, metadata text, subject text, external_id text, category text, tier text,
  created_at double precision, updated_at double precision, occurred_at double precision, expires_at double precision,
  valid_to double precision, enters_at double precision, text text
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.metadata::text, p.subject, p.external_id, p.category, p.tier, app.in_ms(p.created_at),
        app.in_ms(p.updated_at), app.in_ms(p.occurred_at), app.in_ms(p.expires_at), app.in_ms(p.valid_to),
        null::double precision, p.text
      from app.patterns_at(p_space, p_at, p_all, p_first, p_end) p order by p.idx;
end
$$;

-- The p_k of them whose keys are nearest to a vector by cosine, at least p_least; those of p_among alone, if given. Tiers and
-- accesses are those of now.
drop function if exists app.search_at(
  uuid, timestamptz, boolean, integer, integer, text, boolean, boolean, integer[], integer, double precision
);
create function app.search_at(
  p_space uuid, p_at timestamptz, p_all boolean, p_first integer, p_end integer, p_query text, p_text_only boolean,
  p_values boolean, p_among integer[], p_k integer, p_least double precision
)
returns table (
  idx integer, id text, text text, metadata text, value text, source_dim integer, external_id text, revision integer,
  valid_from timestamptz, valid_to timestamptz, superseded_by text, tier text, last_accessed timestamptz,
  cosine double precision
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  -- Unit vectors: the cosine of what is large or small overflows, and what is no number counts as 1.
  wanted vector := l2_normalize(p_query::vector);
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select f.idx, f.id, f.text, f.metadata::text, case when p_values then coalesce(f.value, f.key)::text end,
        f.source_dim, f.external_id, f.revision, app.begins_at(f.valid_from, f.occurred_at, f.valid_to), f.valid_to, f.superseded_by,
        f.tier, (select x.last_accessed from app.pattern_accesses x where x.space_id = p_space and x.idx = f.idx),
        least(1, greatest(-1, f.cosine))
      from (
        select p.*, case when vector_dims(p.key) = vector_dims(wanted) then 1 - (l2_normalize(p.key) <=> wanted) end as cosine
          from app.patterns_at(p_space, p_at, p_all, p_first, p_end) p
          where (not p_text_only or p.text is not null) and (p_among is null or p.idx = any (p_among))
      ) as f
      where f.cosine >= p_least
      order by f.cosine desc, f.idx limit p_k;
end
$$;

-- The first p_count of them in store order, as lists show them; of p_among alone, if given.
drop function if exists app.list_at(uuid, timestamptz, boolean, integer, integer, integer[], integer);
create function app.list_at(
  p_space uuid, p_at timestamptz, p_all boolean, p_first integer, p_end integer, p_among integer[], p_count integer
)
returns table (
  idx integer, id text, text text, metadata jsonb, tier text, protected boolean, asked_protected boolean, access_count bigint,
  last_accessed timestamptz, occurred_at timestamptz, expires_at timestamptz, created_at timestamptz,
  source_dim integer, external_id text, subject text, revision integer, updated_at timestamptz, valid_from timestamptz,
  valid_to timestamptz, supersedes text, superseded_by text
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select t.idx, t.id, t.text, t.metadata, t.tier, p.protected, p.asked_protected, x.access_count, x.last_accessed, t.occurred_at,
        t.expires_at, t.created_at, t.source_dim, t.external_id, t.subject, t.revision, t.updated_at, t.valid_from,
        t.valid_to, p.supersedes, t.superseded_by
      from app.patterns_at(p_space, p_at, p_all, p_first, p_end) t
      join app.patterns p on p.space_id = p_space and p.idx = t.idx
      left join app.pattern_accesses x on x.space_id = p_space and x.idx = t.idx
      where p_among is null or t.idx = any (p_among)
      order by t.idx limit p_count;
end
$$;

-- Kept revisions of patterns that may be what is asked for, in order: of the next p_count of the space after one, or of all of
-- p_among. Asked for may be a category, one of some end users, one of some external ids, and texts whose keys are at least
-- p_least near to p_query by cosine (null: any). With what filters look at as it was then; see document_of. The last of p_count
-- comes in any case (is_last), so that the caller knows where to go on. Sorting is off as in load_patterns.
create or replace function app.wanted_versions(
  p_space uuid, p_among integer[], p_after_idx integer, p_after_revision integer, p_count integer, p_query text,
  p_least double precision, p_category text, p_subjects text[], p_external_ids text[]
)
returns table (
  idx integer, revision integer, is_last boolean, cosine double precision, metadata text, subject text,
  external_id text, category text, tier text, created_at double precision, updated_at double precision,
  occurred_at double precision, expires_at double precision, valid_to double precision, enters_at double precision,
  text text
)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_sort = off as $$
declare
  wanted vector := p_query::vector;
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    with page as materialized (
      (
        select v.* from app.pattern_versions v
          where p_among is null and v.space_id = p_space and v.redacted_at is null
            and (v.idx, v.revision) > (p_after_idx, p_after_revision)
          order by v.idx, v.revision limit p_count
      ) union all (
        select v.* from unnest(p_among) as i (idx)
          join app.pattern_versions v on v.space_id = p_space and v.idx = i.idx and v.redacted_at is null
      )
    ),
    last as materialized (select g.idx, g.revision from page g where p_among is null offset p_count - 1 limit 1),
    judged as (
      select c.*, p.tier, p.created_at, (p.ends is null or p.ends > now()) as is_there,
          case when c.text is not null and vector_dims(c.key) = vector_dims(wanted) then 1 - (c.key <=> wanted) end as cosine
        from page c
        cross join lateral (
          select o.tier, o.created_at, o.expires_at as ends from app.patterns o
            where o.space_id = p_space and o.idx = c.idx limit 1
        ) as p
        where (p_category is null or c.category = p_category)
          and (p_subjects is null or c.subject = any (p_subjects))
          and (p_external_ids is null or c.external_id = any (p_external_ids))
    )
    select r.idx, r.revision, false, r.cosine, r.metadata::text, r.subject, r.external_id,
        r.category, r.tier, app.in_ms(r.created_at), app.in_ms(r.changed_at), app.in_ms(r.occurred_at),
        app.in_ms(r.expires_at), app.in_ms(r.valid_to), null::double precision, r.text
      from judged r
      where r.is_there and (wanted is null or coalesce(r.cosine >= p_least, false))
    union all
    select l.idx, l.revision, true, null, null, null, null, null, null, null, null, null, null, null, null, null from last l;
end
$$;

-- Takes everything out of kept revisions that they held, of whatever a bound subject may change. Returns how many there were
-- with anything in them.
create or replace function app.redact_versions(p_space uuid, p_idx integer[], p_revisions integer[]) returns integer
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  bound text := app.bound_subject();
  subject text;
  redacted integer;
begin
  perform set_config('app.space_id', p_space::text, true);
  -- Its name goes too, and of a row without it a bound subject sees nothing.
  subject := app.leave_subject();
  update app.pattern_versions v set text = null, metadata = null, category = null, key = null, value = null, source_dim = null, model = null,
      subject = null, external_id = null, occurred_at = null, expires_at = null, valid_from = null, valid_to = null,
      redacted_at = now()
    -- As in learning.sql: each is looked up by its key, whatever was planned while there were none.
    from (select * from unnest(p_idx, p_revisions) as n (idx, revision) limit cardinality(p_idx)) as r
    where v.space_id = p_space and v.idx = r.idx and v.revision = r.revision and v.redacted_at is null
      and (bound is null or v.subject = bound and exists (
        select from app.patterns p where p.space_id = p_space and p.idx = v.idx and p.subject = bound
      ));
  get diagnostics redacted = row_count;
  perform app.return_to_subject(subject);
  return redacted;
end
$$;
