-- Deletion of accounts, their erasure, exports of a user's data, and billing events that were handled.

-- What was deleted can be restored for this long; then it is erased.
create function app.is_erasable(p_deleted_at timestamptz) returns boolean language sql stable parallel safe
  return p_deleted_at <= now() - interval '30 days';

-- Marks a user, who is the tenant, deleted, and with them the organizations that have no other member; their sessions
-- end. What is deleted in one transaction has one time. outcome: ok, not_active, last_owner (of an organization with
-- other members: somebody has to run it).
create function app.delete_account(p_user uuid) returns table (outcome text, restorable_until timestamptz)
language plpgsql as $$
declare
  task text := coalesce(current_setting('app.task', true), '');
begin
  perform set_config('app.task', 'administer-accounts', true);
  -- Locked, so that nobody joins or leaves meanwhile; in one order, so that two that lock several never wait in a circle.
  perform from app.organizations o
    where o.deleted_at is null
      and exists (select from app.memberships m where m.organization_id = o.id and m.user_id = p_user)
    order by o.id for no key update;
  restorable_until := now() + interval '30 days';
  if exists (
    select from app.memberships mine
      join app.organizations o on o.id = mine.organization_id and o.deleted_at is null
      where mine.user_id = p_user and mine.role = 'owner' and exists (
        select from app.memberships m join app.users u on u.id = m.user_id
          where m.organization_id = o.id and m.user_id <> p_user and u.status <> 'deleted'
      ) and not exists (
        select from app.memberships m join app.users u on u.id = m.user_id
          where m.organization_id = o.id and m.user_id <> p_user and m.role = 'owner' and u.status = 'active'
      )
  ) then
    outcome := 'last_owner';
  else
    update app.users u set status = 'deleted', deleted_at = now() where u.id = p_user and u.status = 'active';
    outcome := case when found then 'ok' else 'not_active' end;
  end if;
  if outcome <> 'ok' then
    perform set_config('app.task', task, true);
    return next;
    return;
  end if;
  update app.organizations o set deleted_at = now()
    where o.deleted_at is null
      and exists (select from app.memberships m where m.organization_id = o.id and m.user_id = p_user)
      and not exists (
        select from app.memberships m join app.users u on u.id = m.user_id
          where m.organization_id = o.id and u.status <> 'deleted'
      );
  update app.sessions s set revoked_at = now() where s.user_id = p_user and s.revoked_at is null;
  delete from app.email_tokens t where t.user_id = p_user;
  delete from app.mfa_challenges c where c.user_id = p_user;
  perform set_config('app.task', task, true);
  return next;
end
$$;

-- Undoes that, for the user and the organizations that were deleted with them; their sessions stay ended.
-- outcome: ok, not_found (also when it is too late), not_deleted.
create function app.restore_account(p_user uuid) returns text language plpgsql as $$
declare
  task text := coalesce(current_setting('app.task', true), '');
  u app.users;
  outcome text;
begin
  perform set_config('app.task', 'administer-accounts', true);
  select * into u from app.users where id = p_user for update;
  if not found or app.is_erasable(u.deleted_at) then
    outcome := 'not_found';
  elsif u.status <> 'deleted' then
    outcome := 'not_deleted';
  else
    outcome := 'ok';
    update app.users set status = 'active', deleted_at = null where id = p_user;
    update app.organizations o set deleted_at = null
      where o.deleted_at = u.deleted_at
        and exists (select from app.memberships m where m.organization_id = o.id and m.user_id = p_user);
  end if;
  perform set_config('app.task', task, true);
  return outcome;
end
$$;

-- Erasing goes on as the tenant that is erased; the task only finds what is due. That nothing else is removed whole does
-- not hang on the statements that erase: these three tables give no other row away, whoever asks.
create policy erase on app.users
  using (app.current_task() = 'erase-account' and app.is_erasable(deleted_at));
create policy kept on app.users as restrictive for delete using (app.is_erasable(deleted_at));
create policy erase on app.organizations
  using (app.current_task() = 'erase-account' and app.is_erasable(deleted_at));
create policy kept on app.organizations as restrictive for delete using (app.is_erasable(deleted_at));
create policy kept on app.spaces as restrictive for delete
  using (exists (
    select from app.organizations o where o.id = spaces.organization_id and app.is_erasable(o.deleted_at)
  ));
create policy erase on app.memberships
  using (app.current_task() = 'erase-account'
    and (user_id = app.current_user_id() or organization_id = app.current_organization()));
create policy erase on app.outbox
  using (app.current_task() = 'erase-account' and (
    organization_id = app.current_organization()
    or (organization_id is null and payload ->> 'userId' = app.current_user_id()::text)
  ));
grant delete on app.organizations, app.spaces, app.query_counts, app.tier_counters, app.api_keys to memory_app;

-- Removes up to p_count patterns of an organization that is due: a large space must not take longer than a statement
-- may. @returns how many; 0 when none is left.
create function app.erase_patterns(p_organization uuid, p_count integer) returns integer
language plpgsql as $$
declare
  space uuid;
  removed integer := 0;
begin
  perform set_config('app.task', 'erase-account', true), set_config('app.organization_id', p_organization::text, true);
  perform from app.organizations o where o.id = p_organization and app.is_erasable(o.deleted_at) for no key update;
  if not found then
    return 0;
  end if;
  for space in select s.id from app.spaces s where s.organization_id = p_organization order by s.id loop
    perform set_config('app.space_id', space::text, true);
    delete from app.patterns p where p.space_id = space and p.idx in (
      select e.idx from app.patterns e where e.space_id = space order by e.idx limit p_count
    );
    get diagnostics removed = row_count;
    exit when removed > 0;
  end loop;
  return removed;
end
$$;

-- Takes out of the log what was done in an organization that is due, and who did it; in the log of a user who lives on
-- stays that they did it. Runs as its owner, because the service's role may not change entries.
create function app.pseudonymise_organization_audit(p_organization uuid) returns void
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

-- Removes an organization that is due and everything that it still has once its patterns are gone.
create function app.erase_organization(p_organization uuid) returns void
language plpgsql as $$
declare
  space uuid;
begin
  perform set_config('app.task', 'erase-account', true), set_config('app.organization_id', p_organization::text, true);
  perform from app.organizations o where o.id = p_organization and app.is_erasable(o.deleted_at) for update;
  if not found then
    return;
  end if;
  for space in select s.id from app.spaces s where s.organization_id = p_organization loop
    perform set_config('app.space_id', space::text, true);
    delete from app.patterns p where p.space_id = space;
    delete from app.pattern_tombstones t where t.space_id = space;
    delete from app.query_counts c where c.space_id = space;
    delete from app.tier_counters c where c.space_id = space;
    delete from app.idempotency_keys k where k.space_id = space;
  end loop;
  perform app.pseudonymise_organization_audit(p_organization);
  delete from app.outbox e where e.organization_id = p_organization;
  delete from app.mails m where m.organization_id = p_organization;
  delete from app.invitations i where i.organization_id = p_organization;
  delete from app.api_keys k where k.organization_id = p_organization;
  delete from app.memberships m where m.organization_id = p_organization;
  delete from app.spaces s where s.organization_id = p_organization;
  delete from app.organizations o where o.id = p_organization;
end
$$;

-- Removes a user who is due and everything of theirs; in the audit log stays that somebody did it.
create function app.erase_user(p_user uuid) returns void
language plpgsql as $$
declare
  email text;
begin
  perform set_config('app.task', 'erase-account', true), set_config('app.user_id', p_user::text, true);
  select u.email into email from app.users u where u.id = p_user and app.is_erasable(u.deleted_at) for update;
  if not found then
    return;
  end if;
  perform app.pseudonymise_audit(p_user, email);
  delete from app.outbox e where e.organization_id is null and e.payload ->> 'userId' = p_user::text;
  delete from app.mails m where m.user_id = p_user;
  delete from app.exports e where e.user_id = p_user;
  delete from app.email_tokens t where t.user_id = p_user;
  delete from app.mfa_challenges c where c.user_id = p_user;
  delete from app.mfa_recovery_codes c where c.user_id = p_user;
  delete from app.mfa_factors f where f.user_id = p_user;
  delete from app.sessions s where s.user_id = p_user;
  delete from app.memberships m where m.user_id = p_user;
  delete from app.users u where u.id = p_user;
end
$$;

create table app.exports (
  user_id    uuid not null references app.users,
  id         uuid not null default gen_random_uuid(),
  status     text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  bytes      bigint not null default 0,
  -- Raised by each attempt to build it: parts of an earlier one, whose process was thought dead, are refused.
  build      integer not null default 0,
  -- When the attempt under way was last heard of; null when there is none.
  active_at  timestamptz,
  created_at timestamptz not null default now(),
  ready_at   timestamptz,
  expires_at timestamptz,
  primary key (user_id, id)
);
-- One at a time.
create unique index exports_pending on app.exports (user_id) where status = 'pending';
alter table app.exports enable row level security, force row level security;
create policy tenant on app.exports
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
create policy purge on app.exports
  using (app.current_task() = 'purge-exports' and (expires_at < now() or created_at < now() - interval '8 days'));
grant select, insert, update, delete on app.exports to memory_app;

-- The archive, in pieces that are written and read one after the other.
create table app.export_parts (
  user_id   uuid not null,
  export_id uuid not null,
  part      integer not null,
  data      bytea not null,
  primary key (user_id, export_id, part),
  foreign key (user_id, export_id) references app.exports on delete cascade
);
alter table app.export_parts enable row level security, force row level security;
create policy tenant on app.export_parts
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
grant select, insert, update, delete on app.export_parts to memory_app;

-- When the payment provider's last word on the plan was true: an older one that arrives later is passed over.
alter table app.organizations add column billed_at timestamptz;

create table app.billing_events (
  webhook_id  text primary key,
  received_at timestamptz not null default now()
);
alter table app.billing_events enable row level security, force row level security;
create policy task on app.billing_events
  using (app.current_task() = 'handle-billing') with check (app.current_task() = 'handle-billing');
grant select, insert, delete on app.billing_events to memory_app;
