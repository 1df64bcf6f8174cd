-- The schema, the role the service works as, and how a statement says whose rows it may see.
create extension if not exists vector;

-- The service's role owns nothing and can't bypass row level security.
do $$
begin
  create role memory_app nologin;
exception when duplicate_object or unique_violation or insufficient_privilege then
  -- Whoever migrates has made sure that it is there; to say so again takes a right that an owner need not have.
  null;
end
$$;
do $$
begin
  execute format('grant memory_app to %I', current_user);
exception when others then
  -- A superuser needs no grant, and PostgreSQL refuses some of those that change nothing.
  null;
end
$$;
grant usage on schema app to memory_app;

-- Policies and indexes hang on the functions of this file, so a change of one is a migration; all others are in functions/.

-- The tenant of the running transaction. Unset (or empty, as it reads after a commit) is null,
-- and null equals nothing: a statement without a tenant sees no row.
create function app.current_organization() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::uuid;
create function app.current_space() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.space_id', true), '')::uuid;
-- The user of the running transaction; null without one.
create function app.current_user_id() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;

-- Housekeeping works across tenants; each task may see only the rows that its name allows in the policies.
create function app.current_task() returns text language sql stable parallel safe
  return nullif(current_setting('app.task', true), '');

-- Hash of the single-use token that the running transaction was given; null without one. What a token stands for is
-- visible to whoever presents it, before anything else of them is known.
create function app.presented_token() returns bytea language sql stable parallel safe
  return decode(nullif(current_setting('app.token_hash', true), ''), 'hex');

-- What was deleted can be restored for this long; then it is erased.
create function app.is_erasable(p_deleted_at timestamptz) returns boolean language sql stable parallel safe
  return p_deleted_at <= now() - interval '30 days';

-- In UTC, whatever the session's time zone is.
create function app.day_of(p_at timestamptz) returns timestamptz language sql immutable parallel safe
  return date_bin('1 day', p_at, timestamptz '1970-01-01 00:00+00');
create function app.hour_of(p_at timestamptz) returns timestamptz language sql immutable parallel safe
  return date_bin('1 hour', p_at, timestamptz '1970-01-01 00:00+00');

-- What triggers call, so that each stands beside its table. The bodies are in functions/, which comes after the tables.
do $$
declare
  name text;
begin
  foreach name in array array[
    'forget_compositions', 'forget_last_found', 'forget_traces', 'hash_pattern_key', 'notify_outbox',
    'require_empty_space', 'tell_callers', 'tell_pattern_limit'
  ] loop
    execute format(
      'create function app.%I() returns trigger language plpgsql as $body$begin raise ''no body yet''; end$body$', name
    );
  end loop;
end
$$;
