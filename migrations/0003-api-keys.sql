-- API keys, and the one statement that authenticates a request and counts its queries.
--
-- Functions say how their statements are planned. Planned once (generic) where the plan never varies: planning took
-- two thirds of reading five patterns. Planned at each call (custom) where an argument that is null takes a condition
-- away, and with it or without it another index serves.
create table app.api_keys (
  organization_id uuid not null references app.organizations,
  id              uuid not null default gen_random_uuid(),
  name            text not null,
  environment     text not null check (environment in ('live', 'test')),
  key_prefix      text not null,
  last_four       text not null,
  key_hash        bytea not null unique,
  scopes          text[],
  created_at      timestamptz not null default now(),
  last_used_at    timestamptz,
  expires_at      timestamptz,
  revoked_at      timestamptz,
  primary key (organization_id, id)
);
alter table app.api_keys enable row level security, force row level security;
create policy tenant on app.api_keys
  using (organization_id = app.current_organization())
  with check (organization_id = app.current_organization());
-- Before its organization is known, a key's row is visible to whoever presents the key.
create policy presented on app.api_keys for select
  using (key_hash = decode(nullif(current_setting('app.key_hash', true), ''), 'hex'));
grant select, insert, update on app.api_keys to memory_app;

-- The key's organization, space and limits. Counts p_queries against the day where the plan limits them, and
-- only when everything else allows the request. outcome: ok, unknown_key, missing_scope, queries_exhausted.
create function app.authenticate_api_key(p_key_hash bytea, p_scope text, p_queries integer)
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
    where s.organization_id = k.organization_id and s.environment = k.environment;
  key_id := k.id;
  organization_id := k.organization_id;
  environment := k.environment;
  scopes := k.scopes;
  queries_counted := 0;
  if p_scope is not null and k.scopes is not null and not p_scope = any (k.scopes) then
    outcome := 'missing_scope';
  elsif p_queries > 0 and queries_limit >= 0 then
    perform set_config('app.space_id', space_id::text, true);
    insert into app.query_counts as c (space_id, day, used)
      select space_id, (now() at time zone 'utc')::date, p_queries where p_queries <= queries_limit
      on conflict (space_id, day) do update set used = c.used + p_queries
        where c.used + p_queries <= queries_limit;
    if found then
      outcome := 'ok';
      queries_counted := p_queries;
    else
      outcome := 'queries_exhausted';
    end if;
  else
    outcome := 'ok';
  end if;
  return next;
end
$$;

-- Gives back queries of a request that did not succeed.
create function app.return_queries(p_space uuid, p_queries integer) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  update app.query_counts set used = greatest(0, used - p_queries)
    where space_id = p_space and day = (now() at time zone 'utc')::date;
end
$$;

-- Notes when keys were last used; called with what a few seconds gathered, never on a request's path.
create function app.touch_api_keys(p_organizations uuid[], p_keys uuid[], p_used_at timestamptz[]) returns void
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
