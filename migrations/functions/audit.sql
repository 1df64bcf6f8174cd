-- What is taken out of the audit log, which the service's role can only add to and read.

drop function if exists app.pseudonymise_audit(uuid, text);
drop function if exists app.names_text(jsonb, text);
-- Takes out of the first p_count entries (null: of all) with ids after p_after who those of the users were that are due for
-- erasure; that somebody did it stays. Runs as its owner, because the service's role may not change entries, and so passes
-- over whoever is not due. @returns the id of the last entry that it looked at; null where there is none
create or replace function app.pseudonymise_audit(p_users uuid[], p_after bigint, p_count integer) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  -- Given back at the end. A function that sets them by itself could be made by superusers alone.
  task text := coalesce(current_setting('app.task', true), '');
  due uuid[];
  emails text[];
  named jsonb;
  last bigint;
begin
  perform set_config('app.task', 'erase-account', true);
  -- Of nobody an empty list: null would be found in all entries that have a null.
  select coalesce(array_agg(u.id), '{}'), coalesce(array_agg(u.email), '{}') into due, emails
    from app.users u where u.id = any (p_users) and app.is_erasable(u.deleted_at);
  named := jsonb_build_object('emails', to_jsonb(emails));
  select max(l.id) into last
    from (select a.id from app.audit_log a where a.id > p_after order by a.id limit p_count) l;
  update app.audit_log a
    set actor_email = case when actor_email = any (emails) then null else actor_email end,
        ip = case when actor_id = any (due) or actor_email = any (emails) then null else ip end,
        user_agent = case when actor_id = any (due) or actor_email = any (emails) then null else user_agent end,
        -- One of the addresses is a value in them, at whatever depth.
        details = case when jsonb_path_exists(details, '$.** ? (@ == $emails[*])', named) then null else details end
    where a.id > p_after and a.id <= last and (
      user_id = any (due) or actor_id = any (due) or actor_email = any (emails)
      or jsonb_path_exists(details, '$.** ? (@ == $emails[*])', named)
    );
  perform set_config('app.task', task, true);
  return last;
end
$$;
revoke all on function app.pseudonymise_audit(uuid[], bigint, integer) from public;
grant execute on function app.pseudonymise_audit(uuid[], bigint, integer) to memory_app;

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
