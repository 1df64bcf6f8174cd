-- An end to what gathers: old entries of the audit log, keys that open nothing any more, sessions of one user, days of queries.

-- Removes entries of the log that are older than p_days, the oldest p_count at most. Runs as its owner, because the
-- service's role may not remove entries, and so refuses to remove what is younger than a month.
create policy purge on app.audit_log for delete
  using (app.current_task() = 'purge-audit-log' and at < now() - interval '30 days');
-- All of it: in the order of ids, which is that of time, the first that is too young ends the search.
create policy purge_reads on app.audit_log for select using (app.current_task() = 'purge-audit-log');
create function app.purge_audit_log(p_days integer, p_count integer) returns integer
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

create policy purge on app.api_keys
  using (app.current_task() = 'purge-keys'
    and (revoked_at < now() - interval '90 days' or expires_at < now() - interval '90 days'));
create index api_keys_by_end on app.api_keys (least(revoked_at, expires_at))
  where revoked_at is not null or expires_at is not null;

-- Further back than any month that is summed up.
create policy purge on app.query_counts
  using (app.current_task() = 'keep-usage' and day < (now() at time zone 'utc')::date - 100);

-- A session that begins ends the oldest ones of its user beyond 100, and leaves no more than as many that have ended.
create or replace function app.start_session(
  p_user uuid, p_ip text, p_user_agent text, p_refresh_hash bytea, p_session_days integer, p_idle_days integer
)
returns table (session_id uuid, organization_id uuid)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  sessions_max constant integer := 100;
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
        order by o.created_at desc, o.id offset sessions_max - 1
    );
  delete from app.sessions s
    where s.user_id = p_user and s.id in (
      select o.id from app.sessions o
        where o.user_id = p_user and (o.revoked_at is not null or o.expires_at <= now())
        order by coalesce(o.revoked_at, o.expires_at) desc, o.id offset sessions_max
    );
  organization_id := app.oldest_organization(p_user);
  return next;
end
$$;
