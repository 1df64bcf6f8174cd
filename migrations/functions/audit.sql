-- What is taken out of the audit log, which the service's role can only add to and read.

-- Whether a text is one of the values of some JSON, at whatever depth.
create or replace function app.names_text(p_json jsonb, p_text text) returns boolean language sql immutable parallel safe
  return coalesce(jsonb_path_exists(p_json, '$.** ? (@ == $text)', jsonb_build_object('text', p_text)), false);

-- Takes out of the log who a deleted user was; that somebody did it stays. Runs as its owner, because the service's role
-- may not change entries, and so refuses whoever is not deleted, and another email than that user's.
create or replace function app.pseudonymise_audit(p_user uuid, p_email text) returns void
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

-- Takes out of the log what was done in an organization that is due, and who did it; in the log of a user who lives on
-- stays that they did it. Runs as its owner, because the service's role may not change entries.
create or replace function app.pseudonymise_organization_audit(p_organization uuid) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  task text := coalesce(current_setting('app.task', true), '');
  organization text := coalesce(current_setting('app.organization_id', true), '');
begin
  perform set_config('app.task', 'erase-account', true), set_config('app.organization_id', p_organization::text, true);
  perform from app.organizations o where o.id = p_organization and app.is_erasable(o.deleted_at);
  if not found then
    raise exception 'Only an erased organization is taken out of the audit log.'
      using errcode = 'insufficient_privilege';
  end if;
  update app.audit_log a set details = null where a.organization_id = p_organization and a.details is not null;
  update app.audit_log a set actor_email = null, ip = null, user_agent = null
    where a.organization_id = p_organization and (a.user_id is null or exists (
      select from app.users u where u.id = a.user_id and app.is_erasable(u.deleted_at)
    ));
  perform set_config('app.task', task, true), set_config('app.organization_id', organization, true);
end
$$;
revoke all on function app.pseudonymise_organization_audit(uuid) from public;
grant execute on function app.pseudonymise_organization_audit(uuid) to memory_app;

-- Removes entries of the log that are older than p_days, the oldest p_count at most. Runs as its owner, because the
-- service's role may not remove entries, and so refuses to remove what is younger than a month.
create or replace function app.purge_audit_log(p_days integer, p_count integer) returns integer
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  task text := coalesce(current_setting('app.task', true), '');
  removed integer;
begin
  if p_days < 30 then
    raise exception 'The audit log is kept for 30 days at least.' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.task', 'purge-audit-log', true);
  delete from app.audit_log a
    using (select l.id, l.at from app.audit_log l order by l.id limit p_count) oldest
    where a.id = oldest.id and oldest.at < now() - make_interval(days => p_days);
  get diagnostics removed = row_count;
  perform set_config('app.task', task, true);
  return removed;
end
$$;
revoke all on function app.purge_audit_log(integer, integer) from public;
grant execute on function app.purge_audit_log(integer, integer) to memory_app;

-- The address of whoever made a key of an organization, also once they are no member any more; null where they are erased.
create or replace function app.email_of_creator(p_organization uuid, p_key uuid) returns text language plpgsql as $$
declare
  task text := coalesce(current_setting('app.task', true), '');
  creator text;
begin
  perform set_config('app.task', 'name-key-creator', true);
  select u.email into creator from app.api_keys k join app.users u on u.id = k.created_by
    where k.organization_id = p_organization and k.id = p_key;
  perform set_config('app.task', task, true);
  return creator;
end
$$;
