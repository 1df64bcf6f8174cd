-- What processes of the release before call, and this one no longer. It goes with the next release, by a numbered file.

create or replace function app.save_state(p_space uuid, p_state jsonb, p_records jsonb) returns bigint language sql as $$
  select app.save_state(p_space, p_state, p_records, 1000)
$$;

create or replace function app.start_session(
  p_user uuid, p_ip text, p_user_agent text, p_refresh_hash bytea, p_session_days integer, p_idle_days integer
)
returns table (session_id uuid, organization_id uuid) language sql as $$
  select * from app.start_session(p_user, p_ip, p_user_agent, p_refresh_hash, p_session_days, p_idle_days, 100)
$$;

create or replace function app.sign_in(
  p_user uuid, p_password_hash text, p_ip text, p_user_agent text, p_refresh_hash bytea,
  p_session_days integer, p_idle_days integer, p_entry jsonb
)
returns table (outcome text, session_id uuid, organization_id uuid, signing_key text) language sql as $$
  select * from app.sign_in(
    p_user, p_password_hash, p_ip, p_user_agent, p_refresh_hash, p_session_days, p_idle_days, 100, p_entry
  )
$$;

-- It knows nothing of how many queries are left, nor of subjects: a key that is bound to one opens nothing there.
create or replace function app.identify_key(p_key_hash bytea, p_scope text, p_queries integer)
returns table (
  outcome text, key_id uuid, organization_id uuid, space_id uuid, environment text, scopes text[],
  space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer, valid_until timestamptz
)
language sql as $$
  select case when subject is null then outcome else 'unknown_key' end, key_id, organization_id, space_id, environment,
    scopes, space_version, engine_version, patterns_limit, queries_counted, valid_until
    from app.caller_of_key(p_key_hash, p_scope, p_queries)
$$;
create or replace function app.identify_session(
  p_user uuid, p_session uuid, p_kid text, p_organization uuid, p_environment text, p_queries integer
)
returns table (
  outcome text, email text, email_verified boolean, is_platform_admin boolean, organization_id uuid, role text,
  space_id uuid, space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer,
  valid_until timestamptz
)
language sql as $$
  select outcome, email, email_verified, is_platform_admin, organization_id, role, space_id, space_version, engine_version,
    patterns_limit, queries_counted, valid_until
    from app.caller_of_session(p_user, p_session, p_kid, p_organization, p_environment, p_queries)
$$;

-- It knows nothing of whose texts are.
create or replace function app.load_texts(p_space uuid, p_after_idx integer, p_count integer)
returns table (idx integer, text text) language sql as $$
  select idx, text from app.texts_after(p_space, p_after_idx, p_count)
$$;
create or replace function app.changed_texts_and_passages(p_space uuid, p_since bigint)
returns table (
  version bigint, history_floor bigint, idx integer, text text, firsts integer[], ends integer[], keys bytea
)
language sql as $$
  select version, history_floor, idx, text, firsts, ends, keys from app.text_changes(p_space, p_since)
$$;
-- Nor of passages.
create or replace function app.changed_texts(p_space uuid, p_since bigint)
returns table (version bigint, history_floor bigint, idx integer, text text) language sql as $$
  select version, history_floor, idx, text from app.changed_texts_and_passages(p_space, p_since)
$$;

-- Its filters are of equality alone, and looked at row by row.
--
-- The SQL condition that a metadata filter stands for: every key has an equal value, and a list means any of its
-- values. As text with literals, so that it is read once a statement and a long list is looked up in a hash table;
-- a function called for each row took fifty times as long.
create or replace function app.filter_condition(p_filter jsonb) returns text language sql immutable parallel safe
return (
  select coalesce(string_agg(
    case jsonb_typeof(f.value)
      when 'array' then format(
        '(p.metadata -> %L) = any (%L::jsonb[])',
        f.key, (select coalesce(array_agg(v.value), '{}') from jsonb_array_elements(f.value) as v)
      )
      else format('(p.metadata -> %L) = %L::jsonb', f.key, f.value)
    end,
    ' and '
  ), 'true')
  from jsonb_each(p_filter) as f
);

-- Indexes of the unexpired patterns from p_first on, p_count indexes of them, that match the metadata filter, in their
-- order; and where the space's indexes end. A range of indexes is read by the primary key, whatever is known of the table.
create or replace function app.filter_patterns_from(
  p_space uuid, p_filter jsonb, p_text_only boolean, p_first integer, p_count integer,
  out matching integer[], out end_idx integer
)
language plpgsql as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.next_idx into end_idx from app.spaces s where s.id = p_space;
  execute format(
    $query$
      select coalesce(array_agg(p.idx order by p.idx), '{}') from app.patterns p
      where p.space_id = $1 and p.idx >= $3 and p.idx < $4 and (not $2 or p.text is not null)
        and app.is_current(p.expires_at, p.valid_to, p.enters_at) and %s
    $query$,
    app.filter_condition(p_filter)
  ) into matching using p_space, p_text_only, p_first, p_first + p_count;
end
$$;

-- Indexes of the unexpired patterns of one tier that match the metadata filter (null: all do).
create or replace function app.list_in_tier(p_space uuid, p_tier text, p_filter jsonb) returns integer[]
language plpgsql as $$
declare
  matching integer[];
begin
  perform set_config('app.space_id', p_space::text, true);
  execute format(
    $query$
      select coalesce(array_agg(p.idx), '{}') from app.patterns p
      where p.space_id = $1 and p.tier = %L and app.is_current(p.expires_at, p.valid_to, p.enters_at) and %s
    $query$,
    p_tier, case when p_filter is null then 'true' else app.filter_condition(p_filter) end
  ) into matching using p_space;
  return matching;
end
$$;

create or replace function app.delete_patterns(
  p_space uuid, p_idx integer[], p_seen bigint, p_query text, p_threshold double precision, p_same_text text,
  p_category text, p_filter jsonb, p_text_only boolean, p_dry_run boolean
)
returns table (idx integer, id text, version bigint) language plpgsql as $$
declare
  among integer[];
begin
  perform set_config('app.space_id', p_space::text, true);
  if p_filter is not null then
    execute 'select coalesce(array_agg(p.idx), ''{}'') from app.patterns p where p.space_id = $1 and '
      || app.filter_condition(p_filter) into among using p_space;
  end if;
  return query select * from app.remove_patterns(
    p_space, p_idx, p_seen, p_query, p_threshold, p_same_text, p_category, among, p_text_only, p_dry_run
  );
end
$$;

-- It knows nothing of what callers have said of protection, apart from what that comes to. As store_patterns takes it.
create or replace function app.asked_of_each(p_protected boolean[], p_metadata text[], p_categories text[]) returns text[]
language sql immutable parallel safe
return (
  select array_agg(app.asked_of(r.protected, r.metadata::jsonb, r.category)::text order by r.n)
    from unnest(p_protected, p_metadata, p_categories) with ordinality as r (protected, metadata, category, n)
);

-- It knows nothing of names, versions and times of patterns. Dropped first: `create or replace` keeps the default of
-- p_key_hashes, which processes of an earlier release needed.
drop function if exists app.insert_patterns(
  uuid, bigint, text[], text[], text[], vector[], vector[], integer[], text[], text, text[], boolean[], timestamptz[],
  timestamptz[], text[]
);
create function app.insert_patterns(
  p_space uuid, p_limit bigint, p_ids text[], p_texts text[], p_metadata text[], p_keys vector[], p_values vector[],
  p_source_dims integer[], p_text_hashes text[], p_model text, p_categories text[], p_protected boolean[],
  p_expires_at timestamptz[], p_occurred_at timestamptz[], p_key_hashes text[]
)
returns table (stored integer, first_idx integer, version bigint, patterns_used bigint) language sql as $$
  select stored, first_idx, version, patterns_used from app.store_patterns(
    p_space, p_limit, p_ids, p_texts, p_metadata, p_keys, p_values, p_source_dims, p_text_hashes, p_model, p_categories,
    p_protected, p_expires_at, p_occurred_at, p_key_hashes, null, null, null, null, null, null, 20, null,
    app.asked_of_each(p_protected, p_metadata, p_categories)
  )
$$;
create or replace function app.store_patterns(
  p_space uuid, p_limit bigint, p_ids text[], p_texts text[], p_metadata text[], p_keys vector[], p_values vector[],
  p_source_dims integer[], p_text_hashes text[], p_model text, p_categories text[], p_protected boolean[],
  p_expires_at timestamptz[], p_occurred_at timestamptz[], p_key_hashes text[], p_subjects text[],
  p_external_ids text[], p_valid_from timestamptz[], p_valid_to timestamptz[], p_supersedes text[], p_on_conflict text,
  p_kept integer, p_by text
)
returns table (
  stored integer, first_idx integer, version bigint, patterns_used bigint, outcomes text[], places integer[],
  ids text[], tiers text[]
)
language sql as $$
  select * from app.store_patterns(
    p_space, p_limit, p_ids, p_texts, p_metadata, p_keys, p_values, p_source_dims, p_text_hashes, p_model, p_categories,
    p_protected, p_expires_at, p_occurred_at, p_key_hashes, p_subjects, p_external_ids, p_valid_from, p_valid_to,
    p_supersedes, p_on_conflict, p_kept, p_by, app.asked_of_each(p_protected, p_metadata, p_categories)
  )
$$;
create or replace function app.update_pattern(
  p_space uuid, p_id text, p_text text, p_key text, p_text_hash text, p_model text,
  p_set_metadata boolean, p_metadata text, p_category text, p_protected boolean
)
returns table (idx integer, version bigint) language sql as $$
  select idx, version from app.change_pattern(
    p_space, p_id, p_text, p_key, p_text_hash, p_model,
    case when p_set_metadata
      then jsonb_build_object('metadata', p_metadata::jsonb, 'category', p_category, 'protected', p_protected)
      else '{}'
    end,
    20, null, 'updated'
  )
$$;
create or replace function app.put_vector(
  p_space uuid, p_key text, p_value text, p_set_metadata boolean, p_metadata text, p_category text, p_protected boolean
)
returns table (idx integer, is_text boolean, version bigint) language sql as $$
  select * from app.put_vector(p_space, p_key, p_value, p_set_metadata, p_metadata, p_category, p_protected, 20, null)
$$;

-- It looks keys up by ids all at once.
create or replace function app.find_keys_by_id(p_space uuid, p_ids text[]) returns table (id text, key bytea)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
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

create or replace function app.space_state(p_space uuid)
returns table (version bigint, text_model text, history_floor bigint) language sql as $$
  select * from app.space_header(p_space)
$$;

create or replace function app.find_keys(p_space uuid, p_idx integer[]) returns table (idx integer, key bytea) language sql as $$
  select * from app.find_keys(p_space, p_idx, null)
$$;

-- Kept revisions of patterns, in order: the next p_count of the space after one, or all of p_among. `is_near` are those that may
-- be what is asked for, of which alone contents are read: without p_query all, else texts whose keys are at least p_least near
-- to it by cosine. With what filters look at as it was then; see document_of. Sorting is off as in load_patterns.
create or replace function app.kept_versions(
  p_space uuid, p_among integer[], p_after_idx integer, p_after_revision integer, p_count integer, p_query text,
  p_least double precision
)
returns table (
  idx integer, revision integer, is_near boolean, cosine double precision, metadata text, subject text,
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
    select r.idx, r.revision, r.is_near, r.cosine, case when r.is_near then r.metadata::text end, r.subject, r.external_id,
        r.category, r.tier, app.in_ms(r.created_at), app.in_ms(r.changed_at), app.in_ms(r.occurred_at),
        app.in_ms(r.expires_at), app.in_ms(r.valid_to), null::double precision, case when r.is_near then r.text end
      from (
        select c.*, p.tier, p.created_at,
            (p.ends is null or p.ends > now()) and (wanted is null or coalesce(c.cosine >= p_least, false)) as is_near
          from (
            select k.*, case when k.text is not null and vector_dims(k.key) = vector_dims(wanted) then 1 - (k.key <=> wanted) end as cosine
              from (
                (
                  select v.* from app.pattern_versions v
                    where p_among is null and v.space_id = p_space and v.redacted_at is null
                      and (v.idx, v.revision) > (p_after_idx, p_after_revision)
                    order by v.idx, v.revision limit p_count
                ) union all (
                  select v.* from unnest(p_among) as i (idx)
                    join app.pattern_versions v on v.space_id = p_space and v.idx = i.idx and v.redacted_at is null
                )
              ) as k
          ) as c
          cross join lateral (
            select o.tier, o.created_at, o.expires_at as ends from app.patterns o
              where o.space_id = p_space and o.idx = c.idx limit 1
          ) as p
      ) as r
      order by r.idx, r.revision;
end
$$;

-- How many patterns of a space there are (p_idx null: of all, else of these), and SHA-256 in hex of their ids, sorted byte
-- by byte and joined by line feeds.
create or replace function app.named_by_hash(p_space uuid, p_idx integer[])
returns table (patterns bigint, ids_sha256 text) language plpgsql stable as $$
declare
  ids text[];
begin
  perform set_config('app.space_id', p_space::text, true);
  if p_idx is null then
    ids := array(select p.id from app.patterns p where p.space_id = p_space);
  else
    ids := array(select p.id from app.named_patterns(p_space, p_idx) p);
  end if;
  return query
    select count(*), encode(sha256(convert_to(coalesce(string_agg(n.id, E'\n' order by n.id collate "C"), ''), 'utf8')), 'hex')
      from unnest(ids) as n (id);
end
$$;

-- It reads all store times at once.
create or replace function app.learned_since(p_space uuid, p_since bigint, p_stored_after integer)
returns table (engine_version bigint, created_at timestamptz, end_idx integer, learned json) language sql as $$
  select * from app.learned_since(p_space, p_since, p_stored_after, null)
$$;

-- It takes a user out of the whole audit log at once.
create or replace function app.erase_user(p_user uuid) returns void language sql as $$
  select app.erase_user(p_user, 0)
$$;
