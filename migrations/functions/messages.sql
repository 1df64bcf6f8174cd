-- What is told of what happens.

-- Wakes the relay.
create or replace function app.notify_outbox() returns trigger language plpgsql as $$
begin
  notify memory_outbox;
  return null;
end
$$;

-- Tells of each crossing of 80 % and of 100 % of what the plan allows a space to hold.
create or replace function app.tell_pattern_limit() returns trigger language plpgsql as $$
declare
  tenant text := coalesce(current_setting('app.organization_id', true), '');
  subject text := app.leave_subject();
  cap bigint;
  payload jsonb;
  crossed text;
begin
  perform set_config('app.organization_id', new.organization_id::text, true);
  select p.patterns into cap from app.organizations o
    join app.plans p on p.name = case new.environment when 'test' then 'free' else o.plan end
    where o.id = new.organization_id;
  if cap >= 0 then
    payload := jsonb_build_object('spaceId', new.id, 'used', new.patterns_used, 'limit', cap);
    foreach crossed in array array_remove(array[
      case when old.patterns_used * 5 <= cap * 4 and new.patterns_used * 5 > cap * 4 then 'pattern_limit_warning' end,
      case when old.patterns_used < cap and new.patterns_used >= cap then 'pattern_limit_reached' end
    ], null) loop
      insert into app.notifications (organization_id, type, environment, data)
        values (new.organization_id, crossed, new.environment, payload);
      insert into app.outbox (organization_id, type, payload)
        values (new.organization_id, 'memory.' || crossed, payload);
    end loop;
  end if;
  perform set_config('app.organization_id', tenant, true);
  perform app.return_to_subject(subject);
  return null;
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
