-- What was done, by whom, from where. The service's role adds and reads; nothing changes or removes an entry.
create table app.audit_log (
  id              bigint generated always as identity primary key,
  at              timestamptz not null default now(),
  action          text not null,
  success         boolean not null,
  -- Whose log it is in: the organization's, and that of the user whom it concerns. At least one.
  organization_id uuid,
  user_id         uuid,
  actor           text not null check (actor in ('user', 'key', 'system')),
  actor_id        uuid,
  actor_email     text,
  session_id      uuid,
  ip              text,
  user_agent      text,
  request_id      text,
  -- What was acted on: the id of a key, session, member, webhook ...
  target          text,
  details         jsonb,
  check (organization_id is not null or user_id is not null)
);
create index audit_log_of_organization on app.audit_log (organization_id, id desc);
create index audit_log_of_user on app.audit_log (user_id, id desc);
alter table app.audit_log enable row level security, force row level security;
create policy tenant on app.audit_log
  using (organization_id = app.current_organization() or user_id = app.current_user_id())
  with check (organization_id = app.current_organization() or user_id = app.current_user_id());
create policy erase on app.audit_log for update
  using (app.current_task() = 'erase-account') with check (app.current_task() = 'erase-account');
create policy erase_reads on app.audit_log for select using (app.current_task() = 'erase-account');
grant select, insert on app.audit_log to memory_app;

-- Whether a text is one of the values of some JSON, at whatever depth.
create function app.names_text(p_json jsonb, p_text text) returns boolean language sql immutable parallel safe
  return coalesce(jsonb_path_exists(p_json, '$.** ? (@ == $text)', jsonb_build_object('text', p_text)), false);

-- Takes out of the log who a deleted user was; that somebody did it stays. Runs as its owner, because the service's role
-- may not change entries, and so refuses whoever is not deleted, and another email than that user's.
create function app.pseudonymise_audit(p_user uuid, p_email text) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  -- Given back at the end. A function that sets them by itself could be made by superusers alone.
  task text := coalesce(current_setting('app.task', true), '');
  tenant text := coalesce(current_setting('app.user_id', true), '');
begin
  perform set_config('app.task', 'erase-account', true), set_config('app.user_id', p_user::text, true);
  perform from app.users u where u.id = p_user and u.email = p_email and u.status = 'deleted';
  if not found then
    raise exception 'Only a deleted user is taken out of the audit log.' using errcode = 'insufficient_privilege';
  end if;
  update app.audit_log a
    set actor_email = case when actor_email = p_email then null else actor_email end,
        ip = case when actor_id = p_user or actor_email = p_email then null else ip end,
        user_agent = case when actor_id = p_user or actor_email = p_email then null else user_agent end,
        details = case when app.names_text(details, p_email) then null else details end
    where user_id = p_user or actor_id = p_user or actor_email = p_email or app.names_text(details, p_email);
  perform set_config('app.task', task, true), set_config('app.user_id', tenant, true);
end
$$;
revoke all on function app.pseudonymise_audit(uuid, text) from public;
grant execute on function app.pseudonymise_audit(uuid, text) to memory_app;
