-- The schema, the role the service works as, and how a statement says whose rows it may see.
create extension if not exists vector;

-- The service's role owns nothing and can't bypass row level security.
do $$
begin
  create role memory_app nologin;
exception when duplicate_object or unique_violation then
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

-- The tenant of the running transaction. Unset (or empty, as it reads after a commit) is null,
-- and null equals nothing: a statement without a tenant sees no row.
create function app.current_organization() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::uuid;
create function app.current_space() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.space_id', true), '')::uuid;

-- Housekeeping works across tenants; each task may see only the rows that its name allows in the policies.
create function app.current_task() returns text language sql stable parallel safe
  return nullif(current_setting('app.task', true), '');
