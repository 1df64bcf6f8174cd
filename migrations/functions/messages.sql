-- What is told of what happens.

-- Wakes the relay.
create or replace function app.notify_outbox() returns trigger language plpgsql as $$
begin
  notify memory_outbox;
  return null;
end
$$;

-- Tells of each crossing of 80 % and of 100 % of what the plan allows a space of the tenant to hold, by more patterns or by a
-- smaller plan; of those of one kind that come again and again 60 an hour, as webhooks are tested, since each is a
-- notification, and a delivery for each webhook. What has expired takes no room, though it may not be erased yet. A negative
-- cap is none.
create or replace function app.tell_crossings(
  p_space app.spaces, p_used_before bigint, p_cap_before bigint, p_cap bigint
) returns void language plpgsql as $$
declare
  used bigint := p_space.patterns_used;
  used_before bigint := p_used_before;
  space text := coalesce(current_setting('app.space_id', true), '');
  expired bigint;
  crossed text;
  task text;
  wait integer;
begin
  if p_cap < 0 or used * 5 <= p_cap * 4 then
    return;
  end if;
  perform set_config('app.space_id', p_space.id::text, true);
  expired := app.expired_in(p_space.id);
  perform set_config('app.space_id', space, true);
  used := used - expired;
  used_before := used_before - expired;
  foreach crossed in array array_remove(array[
    case when used * 5 > p_cap * 4 and (p_cap_before < 0 or used_before * 5 <= p_cap_before * 4)
      then 'pattern_limit_warning' end,
    case when used >= p_cap and (p_cap_before < 0 or used_before < p_cap_before) then 'pattern_limit_reached' end
  ], null) loop
    task := current_setting('app.task', true);
    wait := app.take_attempt(array[sha256(convert_to(crossed || ' ' || p_space.id, 'UTF8'))], array[60], array[3600]);
    perform set_config('app.task', coalesce(task, ''), true);
    continue when wait > 0;
    insert into app.notifications (organization_id, type, environment, data)
      values (p_space.organization_id, crossed, p_space.environment,
        jsonb_build_object('spaceId', p_space.id, 'used', used, 'limit', p_cap));
    insert into app.outbox (organization_id, type, payload)
      values (p_space.organization_id, 'memory.' || crossed,
        jsonb_build_object('spaceId', p_space.id, 'used', used, 'limit', p_cap));
  end loop;
end
$$;

create or replace function app.tell_pattern_limit() returns trigger language plpgsql as $$
declare
  tenant text := coalesce(current_setting('app.organization_id', true), '');
  subject text := app.leave_subject();
  cap bigint;
begin
  perform set_config('app.organization_id', new.organization_id::text, true);
  select p.patterns into cap from app.organizations o
    join app.plans p on p.name = case new.environment when 'test' then 'free' else o.plan end
    where o.id = new.organization_id;
  perform app.tell_crossings(new, old.patterns_used, cap, cap);
  perform set_config('app.organization_id', tenant, true);
  perform app.return_to_subject(subject);
  return null;
end
$$;

-- Gives the tenant's organization another plan, and tells of the limits that it crosses by that.
create or replace function app.change_plan(p_organization uuid, p_from text, p_to text) returns void language plpgsql as $$
begin
  -- Who stores meanwhile waits, and then goes by the new plan: else neither would tell of what both have crossed.
  perform from app.spaces where organization_id = p_organization and environment = 'live' for no key update;
  update app.organizations set plan = p_to where id = p_organization;
  perform app.tell_crossings(s, s.patterns_used, before.patterns, after.patterns)
    from app.spaces s, app.plans before, app.plans after
    where s.organization_id = p_organization and s.environment = 'live' and before.name = p_from and after.name = p_to;
end
$$;

-- Names the lock of an organization's notifications: whoever adds one shares it until the commit, whoever reads them in order
-- has it alone.
create or replace function app.notifications_lock(organization uuid) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended('notifications ' || organization, 0)
$$;

-- Gives a notification its number only when those who read in order wait for it.
create or replace function app.number_notification() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(app.notifications_lock(new.organization_id));
  new.n := nextval('app.notifications_n_seq');
  return new;
end
$$;

-- Tells whoever streams an organization's notifications that something of them has changed; once a transaction.
create or replace function app.tell_notification() returns trigger language plpgsql as $$
begin
  perform pg_notify('memory_notifications', coalesce(new.organization_id, old.organization_id)::text);
  return null;
end
$$;
