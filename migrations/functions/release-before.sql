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

-- It knows nothing of how many queries are left.
create or replace function app.identify_key(p_key_hash bytea, p_scope text, p_queries integer)
returns table (
  outcome text, key_id uuid, organization_id uuid, space_id uuid, environment text, scopes text[],
  space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer, valid_until timestamptz
)
language sql as $$
  select outcome, key_id, organization_id, space_id, environment, scopes, space_version, engine_version, patterns_limit,
    queries_counted, valid_until
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

-- It knows nothing of passages.
create or replace function app.changed_texts(p_space uuid, p_since bigint)
returns table (version bigint, history_floor bigint, idx integer, text text) language sql as $$
  select version, history_floor, idx, text from app.changed_texts_and_passages(p_space, p_since)
$$;

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
    p_protected, p_expires_at, p_occurred_at, p_key_hashes, null, null, null, null, null, null, 20, null
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
