-- Signing in, and the end of accounts and organizations.
--
-- Signing in is made of statements of which each is a transaction of its own: the embedded database has one session, and from
-- a transaction's first statement to its end everybody else waits.

-- The account that has the presented email.
create or replace function app.find_account(p_email text)
returns table (id uuid, email text, password_hash text, status text, email_verified_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.email', p_email, true);
  return query
    select u.id, u.email, u.password_hash, u.status, u.email_verified_at from app.users u where u.email = p_email;
end
$$;

-- The key that signs now; null when none does.
create or replace function app.signing_key() returns text language plpgsql as $$
declare
  task text := coalesce(current_setting('app.task', true), '');
  signer text;
begin
  perform set_config('app.task', 'keep-secrets', true);
  select kid into signer from app.signing_keys
    where signs_from <= now() and (signs_until is null or signs_until > now())
      and (retired_at is null or retired_at > now())
    order by signs_from desc, kid
    limit 1;
  perform set_config('app.task', task, true);
  return signer;
end
$$;

-- The organization that a user works for unless a request names another: that of the oldest membership; null for none.
create or replace function app.oldest_organization(p_user uuid) returns uuid
language sql stable
return (
  select m.organization_id
    from app.memberships m join app.organizations o on o.id = m.organization_id
    where m.user_id = p_user and o.deleted_at is null
    order by m.joined_at, m.organization_id limit 1
);

-- Begins a session of the transaction's user with its first refresh token. It ends the oldest ones of its user beyond
-- p_sessions_max, and leaves no more than as many that have ended.
create or replace function app.start_session(
  p_user uuid, p_ip text, p_user_agent text, p_refresh_hash bytea, p_session_days integer, p_idle_days integer,
  p_sessions_max integer
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
  update app.sessions s set revoked_at = now()
    where s.user_id = p_user and s.revoked_at is null and s.id in (
      select o.id from app.sessions o
        where o.user_id = p_user and o.revoked_at is null and o.expires_at > now() and o.id <> start_session.session_id
        order by o.created_at desc, o.id offset p_sessions_max - 1
    );
  delete from app.sessions s
    where s.user_id = p_user and s.id in (
      select o.id from app.sessions o
        where o.user_id = p_user and (o.revoked_at is not null or o.expires_at <= now())
        order by coalesce(o.revoked_at, o.expires_at) desc, o.id offset p_sessions_max
    );
  organization_id := app.oldest_organization(p_user);
  return next;
end
$$;

-- Signs in a user whose password was checked: `signed_in`, with an entry in the audit log that lacks the session alone,
-- and the key that signs now; `changed`, where the password, or what the account may do, is another by now; or
-- `second_factor`, where one has to be asked for first.
create or replace function app.sign_in(
  p_user uuid, p_password_hash text, p_ip text, p_user_agent text, p_refresh_hash bytea,
  p_session_days integer, p_idle_days integer, p_sessions_max integer, p_entry jsonb
)
returns table (outcome text, session_id uuid, organization_id uuid, signing_key text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform set_config('app.user_id', p_user::text, true);
  -- A statement of its own: who waited for the lock must see the factor that another transaction has confirmed.
  perform from app.users u
    where u.id = p_user and u.password_hash = p_password_hash and u.status = 'active' for no key update;
  if not found then
    outcome := 'changed';
  elsif exists (select from app.mfa_factors f where f.user_id = p_user and f.confirmed_at is not null) then
    outcome := 'second_factor';
  else
    outcome := 'signed_in';
    update app.users u set last_login_at = now() where u.id = p_user;
    select s.session_id, s.organization_id into session_id, organization_id
      from app.start_session(
        p_user, p_ip, p_user_agent, p_refresh_hash, p_session_days, p_idle_days, p_sessions_max
      ) s;
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

-- Marks a user, who is the tenant, deleted, and with them the organizations that have no other member; their sessions
-- end. What is deleted in one transaction has one time. outcome: ok, not_active, last_owner (of an organization with
-- other members: somebody has to run it).
create or replace function app.delete_account(p_user uuid) returns table (outcome text, restorable_until timestamptz)
language plpgsql as $$
declare
  task text := coalesce(current_setting('app.task', true), '');
begin
  perform set_config('app.task', 'administer-accounts', true);
  -- Locked, so that nobody joins or leaves meanwhile; in one order, so that two that lock several never wait in a circle.
  perform from app.organizations o
    where o.deleted_at is null
      and exists (select from app.memberships m where m.organization_id = o.id and m.user_id = p_user)
    order by o.id for no key update;
  restorable_until := now() + interval '30 days';
  if exists (
    select from app.memberships mine
      join app.organizations o on o.id = mine.organization_id and o.deleted_at is null
      where mine.user_id = p_user and mine.role = 'owner' and exists (
        select from app.memberships m join app.users u on u.id = m.user_id
          where m.organization_id = o.id and m.user_id <> p_user and u.status <> 'deleted'
      ) and not exists (
        select from app.memberships m join app.users u on u.id = m.user_id
          where m.organization_id = o.id and m.user_id <> p_user and m.role = 'owner' and u.status = 'active'
      )
  ) then
    outcome := 'last_owner';
  else
    update app.users u set status = 'deleted', deleted_at = now() where u.id = p_user and u.status = 'active';
    outcome := case when found then 'ok' else 'not_active' end;
  end if;
  if outcome <> 'ok' then
    perform set_config('app.task', task, true);
    return next;
    return;
  end if;
  update app.organizations o set deleted_at = now()
    where o.deleted_at is null
      and exists (select from app.memberships m where m.organization_id = o.id and m.user_id = p_user)
      and not exists (
        select from app.memberships m join app.users u on u.id = m.user_id
          where m.organization_id = o.id and u.status <> 'deleted'
      );
  update app.sessions s set revoked_at = now() where s.user_id = p_user and s.revoked_at is null;
  delete from app.email_tokens t where t.user_id = p_user;
  delete from app.mfa_challenges c where c.user_id = p_user;
  perform set_config('app.task', task, true);
  return next;
end
$$;

-- Undoes `delete_account`, for the user, the organizations that were deleted with them, and those of which they are an owner
-- and that were deleted with another member later; their sessions stay ended.
-- outcome: ok, not_found (also when it is too late), not_deleted.
create or replace function app.restore_account(p_user uuid) returns text language plpgsql as $$
declare
  task text := coalesce(current_setting('app.task', true), '');
  u app.users;
  outcome text;
begin
  perform set_config('app.task', 'administer-accounts', true);
  -- As delete_account does, before the user is: whoever leaves meanwhile sees that this one is back.
  perform from app.organizations o
    where exists (select from app.memberships m where m.organization_id = o.id and m.user_id = p_user)
    order by o.id for no key update;
  select * into u from app.users where id = p_user for no key update;
  if not found or app.is_erasable(u.deleted_at) then
    outcome := 'not_found';
  elsif u.status <> 'deleted' then
    outcome := 'not_deleted';
  else
    outcome := 'ok';
    update app.users set status = 'active', deleted_at = null where id = p_user;
    update app.organizations o set deleted_at = null
      where o.deleted_at is not null and not app.is_erasable(o.deleted_at) and exists (
        select from app.memberships m
          where m.organization_id = o.id and m.user_id = p_user and (m.role = 'owner' or o.deleted_at = u.deleted_at)
      );
  end if;
  perform set_config('app.task', task, true);
  return outcome;
end
$$;

-- Ends what was set up under an address that nobody had shown to be theirs yet, when the owner of its mailbox takes the
-- account over by a mailed token: anybody may have registered it, and would keep a way in. In an organization that the
-- account founded and owns, every way in of others ends too: they are there by the same hand. One that it founded and
-- that others own by now is theirs: it leaves. Those that it joined, by a mailed token, lose what it made in them. Keys of
-- operators, and what is stored, stay. Locks in the order of delete_account. @returns what ended, each with the
-- organization whose log is to say so; nothing where the address is verified.
create or replace function app.end_unproven(p_user uuid)
returns table (organization_id uuid, kind text, target text, details jsonb)
language plpgsql as $$
#variable_conflict use_column
declare
  task text := coalesce(current_setting('app.task', true), '');
  tenant text := coalesce(current_setting('app.organization_id', true), '');
  org uuid;
  is_founder boolean;
  is_own boolean;
begin
  if not exists (select from app.users u where u.id = p_user and u.email_verified_at is null) then
    return;
  end if;
  perform set_config('app.task', 'administer-accounts', true);
  perform from app.organizations o
    where exists (select from app.memberships m where m.organization_id = o.id and m.user_id = p_user)
    order by o.id for no key update;
  perform from app.users u where u.id = p_user and u.email_verified_at is null for no key update;
  if not found then
    perform set_config('app.task', task, true);
    return;
  end if;
  -- An organization and its founder's membership are of one transaction, and so of one time.
  for org, is_founder, is_own in
    select m.organization_id, m.joined_at = o.created_at, m.joined_at = o.created_at and m.role = 'owner'
      from app.memberships m join app.organizations o on o.id = m.organization_id
      where m.user_id = p_user order by m.organization_id
  loop
    perform set_config('app.organization_id', org::text, true);
    return query
      with ended as (
        update app.api_keys k set revoked_at = now()
          where k.organization_id = org and k.revoked_at is null
            and (k.created_by = p_user or is_own and k.created_by is not null)
          returning k.id, k.name
      )
      select org, 'key', e.id::text, jsonb_build_object('key_name', e.name) from ended e;
    return query
      with ended as (
        delete from app.invitations i
          where i.organization_id = org and (i.invited_by = p_user or is_own) and i.expires_at > now()
          returning i.id, i.email, i.role
      )
      select org, 'invitation', e.id::text, jsonb_build_object('email', e.email, 'role', e.role) from ended e;
    if is_own then
      -- Their pending deliveries, which nobody sends, are given up later: there may be more than one statement could change.
      return query
        with ended as (
          update app.webhooks w set status = 'disabled' where w.organization_id = org and w.status = 'active'
            returning w.id, w.url
        )
        select org, 'webhook', e.id::text,
               jsonb_build_object('host', substring(e.url from '^[^:]+://([^/?#]+)'), 'reason', 'password_reset')
          from ended e;
    end if;
    if is_founder then
      perform app.revoke_exports_of(m.user_id) from app.memberships m
        where m.organization_id = org and m.role = 'owner' and (m.user_id = p_user) <> is_own;
      return query
        with ended as (
          delete from app.memberships m where m.organization_id = org and (m.user_id = p_user) <> is_own
            returning m.user_id, m.role
        )
        select org, 'member', e.user_id::text, jsonb_build_object('email', u.email, 'role', e.role)
          from ended e join app.users u on u.id = e.user_id;
    end if;
  end loop;
  perform set_config('app.organization_id', tenant, true);
  -- As revoke_exports_of does it.
  update app.exports e set status = 'failed', expires_at = '-infinity' where e.user_id = p_user;
  delete from app.mfa_challenges c where c.user_id = p_user;
  perform set_config('app.task', task, true);
end
$$;

-- Removes up to p_count patterns of an organization that is due: a large space must not take longer than a statement
-- may. @returns how many; 0 when none is left.
create or replace function app.erase_patterns(p_organization uuid, p_count integer) returns integer
language plpgsql as $$
declare
  space uuid;
  doomed integer[];
  removed integer := 0;
  counts jsonb;
begin
  perform set_config('app.task', 'erase-account', true), set_config('app.organization_id', p_organization::text, true);
  perform from app.organizations o where o.id = p_organization and app.is_erasable(o.deleted_at) for no key update;
  if not found then
    return 0;
  end if;
  for space in select s.id from app.spaces s where s.organization_id = p_organization order by s.id loop
    perform set_config('app.space_id', space::text, true);
    doomed := array(select p.idx from app.patterns p where p.space_id = space order by p.idx limit p_count);
    removed := cardinality(doomed);
    continue when removed = 0;
    counts := app.erase_beside(space, doomed) || jsonb_build_object('patterns', removed);
    -- The first of the space: later ones have greater numbers.
    delete from app.patterns p where p.space_id = space and p.idx <= doomed[removed];
    -- For the receipt, which comes when all is done.
    insert into app.erasures_under_way as e (organization_id, counts) values (p_organization, counts)
      on conflict (organization_id) do update set counts = app.add_counts(e.counts, excluded.counts);
    exit;
  end loop;
  return removed;
end
$$;

-- Removes an organization that is due and everything that it still has once its patterns are gone.
create or replace function app.erase_organization(p_organization uuid) returns void
language plpgsql as $$
declare
  space uuid;
begin
  perform set_config('app.task', 'erase-account', true), set_config('app.organization_id', p_organization::text, true);
  perform from app.organizations o where o.id = p_organization and app.is_erasable(o.deleted_at) for update;
  if not found then
    return;
  end if;
  for space in select s.id from app.spaces s where s.organization_id = p_organization loop
    perform set_config('app.space_id', space::text, true);
    delete from app.patterns p where p.space_id = space;
    delete from app.pattern_tombstones t where t.space_id = space;
    delete from app.query_counts c where c.space_id = space;
    delete from app.tier_counters c where c.space_id = space;
    delete from app.idempotency_keys k where k.space_id = space;
  end loop;
  perform app.pseudonymise_organization_audit(p_organization);
  delete from app.outbox e where e.organization_id = p_organization;
  delete from app.mails m where m.organization_id = p_organization;
  delete from app.invitations i where i.organization_id = p_organization;
  delete from app.api_keys k where k.organization_id = p_organization;
  delete from app.memberships m where m.organization_id = p_organization;
  delete from app.spaces s where s.organization_id = p_organization;
  delete from app.organizations o where o.id = p_organization;
end
$$;

-- Removes a user who is due and everything of theirs; in the audit log stays that somebody did it.
-- @param p_after the id of an entry of the log up to which the user was taken out before
create or replace function app.erase_user(p_user uuid, p_after bigint) returns void
language plpgsql as $$
begin
  perform set_config('app.task', 'erase-account', true), set_config('app.user_id', p_user::text, true);
  perform from app.users u where u.id = p_user and app.is_erasable(u.deleted_at) for update;
  if not found then
    return;
  end if;
  perform app.pseudonymise_audit(array[p_user], p_after, null);
  delete from app.outbox e where e.organization_id is null and e.payload ->> 'userId' = p_user::text;
  delete from app.mails m where m.user_id = p_user;
  delete from app.exports e where e.user_id = p_user;
  delete from app.email_tokens t where t.user_id = p_user;
  delete from app.mfa_challenges c where c.user_id = p_user;
  delete from app.mfa_recovery_codes c where c.user_id = p_user;
  delete from app.mfa_factors f where f.user_id = p_user;
  delete from app.sessions s where s.user_id = p_user;
  delete from app.memberships m where m.user_id = p_user;
  delete from app.users u where u.id = p_user;
end
$$;
