-- Who calls: API keys and access tokens, and the queries that a call counts.
--
-- Functions say how their statements are planned. Planned once (generic) where the plan never varies: planning took
-- two thirds of reading five patterns. Planned at each call (custom) where an argument that is null takes a condition
-- away, and with it or without it another index serves. A plan that is made once may be made while the tables are small, and
-- then reads all of them for each row that is named, until there are statistics of what they have become: where rows are
-- named, reading whole tables is off.

-- The key's organization, space and limits, and until when that holds if nothing changes: what becomes valid in the space by
-- its time is shown to whoever calls from then on, some thousand a call. Keys of an organization that was
-- deleted open nothing. Counts p_queries against the day where the plan limits them, and only when everything else allows
-- the request. outcome: ok, unknown_key, missing_scope, queries_exhausted. queries_limit and queries_used of the day are null
-- where none had to be counted.
drop function if exists app.caller_of_key(bytea, text, integer);
create function app.caller_of_key(p_key_hash bytea, p_scope text, p_queries integer)
returns table (
  outcome text, key_id uuid, organization_id uuid, space_id uuid, environment text, scopes text[],
  space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer, valid_until timestamptz,
  queries_limit bigint, queries_used bigint, subject text, subject_shared boolean
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  k app.api_keys;
  plan_limit bigint;
  next_entry timestamptz;
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
  select s.id, s.version, s.engine_version, s.next_entry, p.patterns, p.queries_per_day
    into space_id, space_version, engine_version, next_entry, patterns_limit, plan_limit
    from app.spaces s
    join app.organizations o on o.id = s.organization_id
    join app.plans p on p.name = case s.environment when 'test' then 'free' else o.plan end
    where s.organization_id = k.organization_id and s.environment = k.environment and o.deleted_at is null;
  if not found then
    outcome := 'unknown_key';
    return next;
    return;
  end if;
  -- A database that only reads goes on answering, and shows these when it writes again.
  if next_entry <= now() and current_setting('transaction_read_only') = 'off' then
    select e.version, e.next_entry into space_version, next_entry from app.enter_patterns(space_id) e;
  end if;
  key_id := k.id;
  organization_id := k.organization_id;
  environment := k.environment;
  scopes := k.scopes;
  subject := k.subject;
  subject_shared := k.subject_shared;
  valid_until := least(k.expires_at, next_entry);
  queries_counted := 0;
  if p_scope is not null and k.scopes is not null and not p_scope = any (k.scopes) then
    outcome := 'missing_scope';
  elsif p_queries = 0 or plan_limit < 0 then
    outcome := 'ok';
  else
    select t.outcome, t.counted, plan_limit, t.used into outcome, queries_counted, queries_limit, queries_used
      from app.take_queries(space_id, p_queries, plan_limit) t;
  end if;
  return next;
end
$$;

-- The same of a token for a subject that a key has made and whose signature holds: it opens nothing that the key does not
-- open any more. outcome: also token_revoked (the key or the signing key is no more).
create or replace function app.caller_of_subject_token(
  p_organization uuid, p_key uuid, p_kid text, p_scope text, p_queries integer
)
returns table (
  outcome text, key_id uuid, organization_id uuid, space_id uuid, environment text, scopes text[],
  space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer, valid_until timestamptz,
  queries_limit bigint, queries_used bigint, subject text, subject_shared boolean
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  hash bytea;
begin
  perform set_config('app.organization_id', p_organization::text, true), set_config('app.kid', p_kid, true);
  select a.key_hash into hash from app.api_keys a
    where a.organization_id = p_organization and a.id = p_key
      and exists (
        select from app.signing_keys k where k.kid = p_kid and (k.retired_at is null or k.retired_at > now())
      );
  if found then
    return query select * from app.caller_of_key(hash, p_scope, p_queries) c where c.outcome <> 'unknown_key';
  end if;
  if not found then
    outcome := 'token_revoked';
    return next;
  end if;
end
$$;

-- The user of an access token whose signature holds, the organization and space that the request is for (the one named, else
-- that of the oldest membership), and until when that holds if nothing changes. Counts p_queries where the plan limits them.
-- outcome: ok, token_revoked (session, account or signing key is no more), organization_not_found (not one of the
-- user's; with p_organization null: the user has none, which is no error for operations on the account itself),
-- queries_exhausted. queries_limit and queries_used of the day are null where none had to be counted.
create or replace function app.caller_of_session(
  p_user uuid, p_session uuid, p_kid text, p_organization uuid, p_environment text, p_queries integer
)
returns table (
  outcome text, email text, email_verified boolean, is_platform_admin boolean, organization_id uuid, role text,
  space_id uuid, space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer,
  valid_until timestamptz, queries_limit bigint, queries_used bigint
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  organization_plan text;
  plan_limit bigint;
  next_entry timestamptz;
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
  select s.id, s.version, s.engine_version, s.next_entry, p.patterns, p.queries_per_day
    into space_id, space_version, engine_version, next_entry, patterns_limit, plan_limit
    from app.spaces s
    join app.plans p on p.name = case p_environment when 'test' then 'free' else organization_plan end
    where s.organization_id = app.current_organization() and s.environment = p_environment;
  if next_entry <= now() and current_setting('transaction_read_only') = 'off' then
    select e.version, e.next_entry into space_version, next_entry from app.enter_patterns(space_id) e;
  end if;
  valid_until := least(valid_until, next_entry);
  if p_queries = 0 or plan_limit < 0 then
    outcome := 'ok';
  else
    select t.outcome, t.counted, plan_limit, t.used into outcome, queries_counted, queries_limit, queries_used
      from app.take_queries(space_id, p_queries, plan_limit) t;
  end if;
  return next;
end
$$;

drop function if exists app.count_queries(uuid, integer, bigint);
-- Counts queries against the day of a space, and says how many are used then; when they do not all fit, none is counted and
-- the outcome is queries_exhausted.
create or replace function app.take_queries(p_space uuid, p_queries integer, p_limit bigint)
returns table (outcome text, counted integer, used bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform set_config('app.space_id', p_space::text, true);
  insert into app.query_counts as c (space_id, day, used)
    select p_space, (now() at time zone 'utc')::date, p_queries where p_queries <= p_limit
    on conflict (space_id, day) do update set used = c.used + p_queries
      where c.used + p_queries <= p_limit
    returning 'ok', p_queries, c.used into outcome, counted, used;
  if not found then
    outcome := 'queries_exhausted';
    counted := 0;
    used := coalesce(
      (select c.used from app.query_counts c where c.space_id = p_space and c.day = (now() at time zone 'utc')::date), 0);
  end if;
  return next;
end
$$;

-- Gives back queries of a request that did not succeed.
create or replace function app.return_queries(p_space uuid, p_queries integer) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  update app.query_counts set used = greatest(0, used - p_queries)
    where space_id = p_space and day = (now() at time zone 'utc')::date;
end
$$;

-- Notes when keys were last used; called with what a few seconds gathered, never on a request's path.
create or replace function app.touch_api_keys(p_organizations uuid[], p_keys uuid[], p_used_at timestamptz[]) returns void
language plpgsql as $$
declare
  organization uuid;
begin
  foreach organization in array (select array_agg(distinct u) from unnest(p_organizations) u) loop
    perform set_config('app.organization_id', organization::text, true);
    update app.api_keys k set last_used_at = greatest(coalesce(k.last_used_at, u.used_at), u.used_at)
      from unnest(p_organizations, p_keys, p_used_at) as u (organization_id, id, used_at)
      where u.organization_id = organization and k.organization_id = organization and k.id = u.id;
  end loop;
end
$$;

-- Notes when sessions were last used; called with what a while gathered, never on a request's path.
create or replace function app.touch_sessions(p_users uuid[], p_sessions uuid[], p_active_at timestamptz[]) returns void
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

-- What authentication finds may be remembered where every change of it is told in time: by the one process of an embedded
-- database, which hears of a commit before whoever made it does. Such a session says app.announces = on. Told is the
-- organization whose callers may have changed, or nothing: any may have. With each store and each lesson a space has other
-- versions, which its callers are told of; to a session that says app.tells_versions = on only these are told, so that all
-- else that is known of callers holds.
create or replace function app.tell_callers() returns trigger language plpgsql as $$
begin
  if tg_argv[0] = 'id' then
    perform pg_notify('memory_callers', old.id::text);
  elsif tg_argv[0] = 'organization_id' then
    perform pg_notify('memory_callers', old.organization_id::text);
  elsif tg_argv[0] = 'space' then
    if tg_op = 'UPDATE' and current_setting('app.tells_versions', true) = 'on'
      and (new.organization_id, new.environment) = (old.organization_id, old.environment)
      and new.next_entry is not distinct from old.next_entry
    then
      perform pg_notify('memory_versions', concat_ws(' ', new.id, new.version, new.engine_version));
    else
      perform pg_notify('memory_callers', old.organization_id::text);
    end if;
  else
    perform pg_notify('memory_callers', '');
  end if;
  return null;
end
$$;
