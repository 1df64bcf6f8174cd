-- Signing in by statements of which each is a transaction of its own: the embedded database has one session, and from a
-- transaction's first statement to its end everybody else waits.

-- The account that has the presented email.
create function app.find_account(p_email text)
returns table (id uuid, email text, password_hash text, status text, email_verified_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.email', p_email, true);
  return query
    select u.id, u.email, u.password_hash, u.status, u.email_verified_at from app.users u where u.email = p_email;
end
$$;

-- The organization that a user works for unless a request names another: that of the oldest membership; null for none.
create function app.oldest_organization(p_user uuid) returns uuid
language sql stable
return (
  select m.organization_id
    from app.memberships m join app.organizations o on o.id = m.organization_id
    where m.user_id = p_user and o.deleted_at is null
    order by m.joined_at, m.organization_id limit 1
);

-- Begins a session of the transaction's user with its first refresh token.
create function app.start_session(
  p_user uuid, p_ip text, p_user_agent text, p_refresh_hash bytea, p_session_days integer, p_idle_days integer
)
returns table (session_id uuid, organization_id uuid)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  session_end timestamptz := now() + make_interval(days => p_session_days);
begin
  insert into app.sessions as s (user_id, ip_address, user_agent, expires_at)
    values (p_user, p_ip, p_user_agent, session_end) returning s.id into session_id;
  insert into app.refresh_tokens (user_id, token_hash, session_id, expires_at)
    values (
      p_user, p_refresh_hash, start_session.session_id,
      least(session_end, now() + make_interval(days => p_idle_days))
    );
  organization_id := app.oldest_organization(p_user);
  return next;
end
$$;

-- Signs in a user whose password was checked: `signed_in`, with an entry in the audit log that lacks the session alone,
-- and the key that signs now; `changed`, where the password, or what the account may do, is another by now; or
-- `second_factor`, where one has to be asked for first.
create function app.sign_in(
  p_user uuid, p_password_hash text, p_ip text, p_user_agent text, p_refresh_hash bytea,
  p_session_days integer, p_idle_days integer, p_entry jsonb
)
returns table (outcome text, session_id uuid, organization_id uuid, signing_key text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform set_config('app.user_id', p_user::text, true);
  -- A statement of its own: who waited for the lock must see the factor that another transaction has confirmed.
  perform from app.users u
    where u.id = p_user and u.password_hash = p_password_hash and u.status = 'active' for update;
  if not found then
    outcome := 'changed';
  elsif exists (select from app.mfa_factors f where f.user_id = p_user and f.confirmed_at is not null) then
    outcome := 'second_factor';
  else
    outcome := 'signed_in';
    update app.users u set last_login_at = now() where u.id = p_user;
    select s.session_id, s.organization_id into session_id, organization_id
      from app.start_session(p_user, p_ip, p_user_agent, p_refresh_hash, p_session_days, p_idle_days) s;
    insert into app.audit_log (
      action, success, organization_id, user_id, actor, actor_id, actor_email, session_id, ip, user_agent, request_id,
      target, details
    )
    select e.action, e.success, e.organization_id, e.user_id, e.actor, e.actor_id, e.actor_email, sign_in.session_id,
           e.ip, e.user_agent, e.request_id, e.target, e.details
      from jsonb_populate_record(null::app.audit_log, p_entry) as e;
    signing_key := app.signing_key();
  end if;
  return next;
end
$$;
