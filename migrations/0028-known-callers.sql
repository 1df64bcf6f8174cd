-- What authentication finds may be remembered where every change of it is told in time: by the one process of an embedded
-- database, which hears of a commit before whoever made it does. Such a session says app.announces = on.

-- The organization whose callers may have changed, or nothing: any may have.
create function app.tell_callers() returns trigger language plpgsql as $$
begin
  if tg_argv[0] = 'id' then
    perform pg_notify('memory_callers', old.id::text);
  elsif tg_argv[0] = 'organization_id' then
    perform pg_notify('memory_callers', old.organization_id::text);
  else
    perform pg_notify('memory_callers', '');
  end if;
  return null;
end
$$;

create trigger callers_changed
  after update of version, engine_version, organization_id, environment or delete on app.spaces
  for each row when (current_setting('app.announces', true) = 'on')
  execute function app.tell_callers('organization_id');
create trigger callers_changed
  after update of organization_id, environment, scopes, key_hash, expires_at, revoked_at or delete on app.api_keys
  for each row when (current_setting('app.announces', true) = 'on')
  execute function app.tell_callers('organization_id');
create trigger callers_changed after update of plan, deleted_at or delete on app.organizations
  for each row when (current_setting('app.announces', true) = 'on') execute function app.tell_callers('id');
create trigger callers_changed after insert or update or delete on app.memberships
  for each statement when (current_setting('app.announces', true) = 'on') execute function app.tell_callers();
create trigger callers_changed
  after update of email, email_verified_at, is_platform_admin, status or delete on app.users
  for each statement when (current_setting('app.announces', true) = 'on') execute function app.tell_callers();
create trigger callers_changed after update of user_id, expires_at, revoked_at or delete on app.sessions
  for each statement when (current_setting('app.announces', true) = 'on') execute function app.tell_callers();
create trigger callers_changed after update or delete on app.signing_keys
  for each statement when (current_setting('app.announces', true) = 'on') execute function app.tell_callers();
create trigger callers_changed after insert or update or delete on app.plans
  for each statement when (current_setting('app.announces', true) = 'on') execute function app.tell_callers();

-- Who presents an API key, as before, and until when that holds if nothing changes.
create function app.identify_key(p_key_hash bytea, p_scope text, p_queries integer)
returns table (
  outcome text, key_id uuid, organization_id uuid, space_id uuid, environment text, scopes text[],
  space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer, valid_until timestamptz
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  k app.api_keys;
  queries_limit bigint;
begin
  perform set_config('app.key_hash', encode(p_key_hash, 'hex'), true);
  select * into k from app.api_keys a
    where a.key_hash = p_key_hash and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if not found then
    outcome := 'unknown_key';
    return next;
    return;
  end if;
  perform set_config('app.organization_id', k.organization_id::text, true);
  select s.id, s.version, s.engine_version, p.patterns, p.queries_per_day
    into space_id, space_version, engine_version, patterns_limit, queries_limit
    from app.spaces s
    join app.organizations o on o.id = s.organization_id
    join app.plans p on p.name = case s.environment when 'test' then 'free' else o.plan end
    where s.organization_id = k.organization_id and s.environment = k.environment and o.deleted_at is null;
  if not found then
    outcome := 'unknown_key';
    return next;
    return;
  end if;
  key_id := k.id;
  organization_id := k.organization_id;
  environment := k.environment;
  scopes := k.scopes;
  valid_until := k.expires_at;
  queries_counted := 0;
  if p_scope is not null and k.scopes is not null and not p_scope = any (k.scopes) then
    outcome := 'missing_scope';
  elsif p_queries = 0 or queries_limit < 0 then
    outcome := 'ok';
  elsif app.count_queries(space_id, p_queries, queries_limit) then
    outcome := 'ok';
    queries_counted := p_queries;
  else
    outcome := 'queries_exhausted';
  end if;
  return next;
end
$$;

-- Who presents an access token, as before, and until when that holds if nothing changes.
create function app.identify_session(
  p_user uuid, p_session uuid, p_kid text, p_organization uuid, p_environment text, p_queries integer
)
returns table (
  outcome text, email text, email_verified boolean, is_platform_admin boolean, organization_id uuid, role text,
  space_id uuid, space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer,
  valid_until timestamptz
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  organization_plan text;
  queries_limit bigint;
begin
  perform set_config('app.user_id', p_user::text, true), set_config('app.kid', p_kid, true);
  queries_counted := 0;
  select u.email, u.email_verified_at is not null, u.is_platform_admin, least(s.expires_at, k.retired_at)
    into email, email_verified, is_platform_admin, valid_until
    from app.users u
    join app.sessions s on s.user_id = u.id
    join app.signing_keys k on k.kid = p_kid
    where u.id = p_user and u.status = 'active'
      and s.id = p_session and s.revoked_at is null and s.expires_at > now()
      and (k.retired_at is null or k.retired_at > now());
  if not found then
    outcome := 'token_revoked';
    return next;
    return;
  end if;
  select m.organization_id, m.role, o.plan into organization_id, role, organization_plan
    from app.memberships m
    join app.organizations o on o.id = m.organization_id
    where m.user_id = p_user and (p_organization is null or m.organization_id = p_organization)
      and o.deleted_at is null
    order by m.joined_at, m.organization_id
    limit 1;
  if not found then
    outcome := 'organization_not_found';
    return next;
    return;
  end if;
  perform set_config('app.organization_id', organization_id::text, true);
  select s.id, s.version, s.engine_version, p.patterns, p.queries_per_day
    into space_id, space_version, engine_version, patterns_limit, queries_limit
    from app.spaces s
    join app.plans p on p.name = case p_environment when 'test' then 'free' else organization_plan end
    where s.organization_id = app.current_organization() and s.environment = p_environment;
  if p_queries = 0 or queries_limit < 0 then
    outcome := 'ok';
  elsif app.count_queries(space_id, p_queries, queries_limit) then
    outcome := 'ok';
    queries_counted := p_queries;
  else
    outcome := 'queries_exhausted';
  end if;
  return next;
end
$$;

-- For processes of an earlier release.
create or replace function app.authenticate_api_key(p_key_hash bytea, p_scope text, p_queries integer)
returns table (
  outcome text, key_id uuid, organization_id uuid, space_id uuid, environment text,
  scopes text[], space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer
)
language sql as $$
  select k.outcome, k.key_id, k.organization_id, k.space_id, k.environment, k.scopes, k.space_version, k.engine_version,
         k.patterns_limit, k.queries_counted
    from app.identify_key(p_key_hash, p_scope, p_queries) k
$$;
create or replace function app.authenticate_session(
  p_user uuid, p_session uuid, p_kid text, p_organization uuid, p_environment text, p_queries integer
)
returns table (
  outcome text, email text, email_verified boolean, is_platform_admin boolean, organization_id uuid, role text, space_id uuid,
  space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer
)
language sql as $$
  select s.outcome, s.email, s.email_verified, s.is_platform_admin, s.organization_id, s.role, s.space_id,
         s.space_version, s.engine_version, s.patterns_limit, s.queries_counted
    from app.identify_session(p_user, p_session, p_kid, p_organization, p_environment, p_queries) s
$$;
