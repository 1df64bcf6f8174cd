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
