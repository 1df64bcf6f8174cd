-- Sessions of users, their refresh tokens, the keys that sign access tokens, and the one statement that authenticates
-- a request by an access token.

-- What the master key that the service runs with must be able to open.
create table app.master_keys (
  version    text primary key,
  proof      bytea not null,
  created_at timestamptz not null default now()
);
alter table app.master_keys enable row level security, force row level security;
create policy task on app.master_keys
  using (app.current_task() = 'keep-secrets') with check (app.current_task() = 'keep-secrets');
grant select, insert, update, delete on app.master_keys to memory_app;

-- RSA keys. Published from created_at on; of those that sign now (signs_from to signs_until), the one that began last
-- does; tokens that it signed hold until retired_at. In an emergency retired_at is now.
create table app.signing_keys (
  -- RFC 7638 thumbprint.
  kid         text primary key,
  public_key  jsonb not null,
  -- PKCS #8, sealed under the master key.
  private_key bytea not null,
  created_at  timestamptz not null default now(),
  signs_from  timestamptz not null,
  signs_until timestamptz,
  retired_at  timestamptz
);
alter table app.signing_keys enable row level security, force row level security;
create policy task on app.signing_keys
  using (app.current_task() = 'keep-secrets') with check (app.current_task() = 'keep-secrets');
create policy verify on app.signing_keys for select
  using (kid = nullif(current_setting('app.kid', true), ''));
grant select, insert, update, delete on app.signing_keys to memory_app;

-- The key that signs now; null when none does.
create function app.signing_key() returns text language plpgsql as $$
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

create table app.sessions (
  user_id        uuid not null references app.users,
  id             uuid not null default gen_random_uuid(),
  ip_address     text,
  user_agent     text,
  created_at     timestamptz not null default now(),
  last_active_at timestamptz not null default now(),
  expires_at     timestamptz not null,
  revoked_at     timestamptz,
  primary key (user_id, id)
);
create index sessions_by_expiry on app.sessions (expires_at);
alter table app.sessions enable row level security, force row level security;
create policy tenant on app.sessions
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
create policy purge on app.sessions
  using (app.current_task() = 'purge-sessions' and (expires_at < now() or revoked_at < now() - interval '30 days'));
grant select, insert, update, delete on app.sessions to memory_app;

-- A family of refresh tokens is a session; each token is spent once.
create table app.refresh_tokens (
  user_id    uuid not null,
  token_hash bytea not null unique,
  session_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  spent_at   timestamptz,
  -- When the exchange was known to be committed: who asked before that overlapped it, who asks later repeats it.
  settled_at timestamptz,
  primary key (user_id, token_hash),
  foreign key (user_id, session_id) references app.sessions on delete cascade
);
create index refresh_tokens_by_session on app.refresh_tokens (user_id, session_id);
alter table app.refresh_tokens enable row level security, force row level security;
create policy tenant on app.refresh_tokens
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
create policy presented on app.refresh_tokens for select using (token_hash = app.presented_token());
grant select, insert, update, delete on app.refresh_tokens to memory_app;

-- Verification of an address, and reset of a password: one token of a kind at a time, a new one voids the old.
create table app.email_tokens (
  user_id    uuid not null references app.users,
  purpose    text not null check (purpose in ('verify-email', 'reset-password')),
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);
alter table app.email_tokens enable row level security, force row level security;
create policy tenant on app.email_tokens
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
create policy presented on app.email_tokens for select using (token_hash = app.presented_token());
grant select, insert, update, delete on app.email_tokens to memory_app;

-- Keys of an organization that was deleted open nothing.
create or replace function app.authenticate_api_key(p_key_hash bytea, p_scope text, p_queries integer)
returns table (
  outcome text, key_id uuid, organization_id uuid, space_id uuid, environment text,
  scopes text[], space_version bigint, patterns_limit bigint, queries_counted integer
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
  select s.id, s.version, p.patterns, p.queries_per_day
    into space_id, space_version, patterns_limit, queries_limit
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

-- Counts queries against the day of a space; false, and nothing counted, when they do not all fit.
create function app.count_queries(p_space uuid, p_queries integer, p_limit bigint) returns boolean
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  insert into app.query_counts as c (space_id, day, used)
    select p_space, (now() at time zone 'utc')::date, p_queries where p_queries <= p_limit
    on conflict (space_id, day) do update set used = c.used + p_queries
      where c.used + p_queries <= p_limit;
  return found;
end
$$;

-- The user of an access token whose signature holds, and the organization and space that the request is for: the one
-- named, else that of the oldest membership. Counts p_queries where the plan limits them.
-- outcome: ok, token_revoked (session, account or signing key is no more), organization_not_found (not one of the
-- user's; with p_organization null: the user has none, which is no error for operations on the account itself),
-- queries_exhausted.
create function app.authenticate_session(
  p_user uuid, p_session uuid, p_kid text, p_organization uuid, p_environment text, p_queries integer
)
returns table (
  outcome text, email text, email_verified boolean, is_platform_admin boolean, organization_id uuid, role text, space_id uuid,
  space_version bigint, patterns_limit bigint, queries_counted integer
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  organization_plan text;
  queries_limit bigint;
begin
  perform set_config('app.user_id', p_user::text, true), set_config('app.kid', p_kid, true);
  queries_counted := 0;
  select u.email, u.email_verified_at is not null, u.is_platform_admin into email, email_verified, is_platform_admin
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
  select s.id, s.version, p.patterns, p.queries_per_day
    into space_id, space_version, patterns_limit, queries_limit
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

-- Notes when sessions were last used; called with what a while gathered, never on a request's path.
create function app.touch_sessions(p_users uuid[], p_sessions uuid[], p_active_at timestamptz[]) returns void
language plpgsql as $$
declare
  one uuid;
begin
  foreach one in array (select array_agg(distinct u) from unnest(p_users) u) loop
    perform set_config('app.user_id', one::text, true);
    update app.sessions s set last_active_at = greatest(s.last_active_at, a.active_at)
      from unnest(p_users, p_sessions, p_active_at) as a (user_id, id, active_at)
      where a.user_id = one and s.user_id = one and s.id = a.id;
  end loop;
end
$$;
