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
