-- What an organization is told, within the service and by webhooks.

-- What leaves through the outbox has an id of its own, by which receivers know a repetition.
alter table app.outbox add column event_id uuid not null default gen_random_uuid();

-- Written in the transaction of its cause. Holds ids and numbers; the words are made when it is read.
create table app.notifications (
  organization_id uuid not null references app.organizations on delete cascade,
  id          text not null default 'notif_' || replace(gen_random_uuid()::text, '-', ''),
  -- Order of coming into being, also within one transaction.
  n           bigint not null generated always as identity,
  type        text not null,
  -- Of the space that it concerns; null for what concerns the organization.
  environment text check (environment in ('live', 'test')),
  data        jsonb not null,
  created_at  timestamptz not null default now(),
  read_at     timestamptz,
  primary key (organization_id, id)
);
create index notifications_newest on app.notifications (organization_id, n desc);
create index notifications_unread on app.notifications (organization_id, n desc) where read_at is null;
create index notifications_by_age on app.notifications (created_at);
alter table app.notifications enable row level security, force row level security;
create policy tenant on app.notifications
  using (organization_id = app.current_organization()) with check (organization_id = app.current_organization());
create policy purge on app.notifications
  using (app.current_task() = 'purge-notifications' and created_at < now() - interval '180 days');
grant select, insert, update, delete on app.notifications to memory_app;

-- Tells of each crossing of 80 % and of 100 % of what the plan allows a space to hold.
create function app.tell_pattern_limit() returns trigger language plpgsql as $$
declare
  tenant text := coalesce(current_setting('app.organization_id', true), '');
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
  return null;
end
$$;
create trigger patterns_stored after update of patterns_used on app.spaces
  for each row when (new.patterns_used > old.patterns_used) execute function app.tell_pattern_limit();

-- When it was told that a key expires soon: once for each key.
alter table app.api_keys add column expiry_told_at timestamptz;
create index api_keys_expiring on app.api_keys (expires_at) where revoked_at is null and expiry_told_at is null;
create policy expiring on app.api_keys
  using (app.current_task() = 'tell-of-expiring-keys' and revoked_at is null
    and expires_at > now() and expires_at < now() + interval '7 days')
  with check (app.current_task() = 'tell-of-expiring-keys' and expiry_told_at is not null);

-- Receivers of events over HTTP.
create table app.webhooks (
  organization_id uuid not null references app.organizations on delete cascade,
  id          uuid not null default gen_random_uuid(),
  url         text not null,
  -- Null: all.
  event_types text[],
  description text,
  status      text not null default 'active' check (status in ('active', 'disabled')),
  created_at  timestamptz not null default now(),
  primary key (organization_id, id)
);
alter table app.webhooks enable row level security, force row level security;
create policy tenant on app.webhooks
  using (organization_id = app.current_organization()) with check (organization_id = app.current_organization());
create policy deliver on app.webhooks for select using (app.current_task() = 'deliver-webhooks');
grant select, insert, update, delete on app.webhooks to memory_app;

-- What deliveries are signed with, sealed under the master key. One that was replaced signs beside the new one for a day.
create table app.webhook_secrets (
  organization_id uuid not null,
  webhook_id uuid not null,
  id         uuid not null default gen_random_uuid(),
  secret     bytea not null,
  created_at timestamptz not null default now(),
  -- Null for the one that holds.
  expires_at timestamptz,
  primary key (organization_id, webhook_id, id),
  foreign key (organization_id, webhook_id) references app.webhooks on delete cascade
);
create unique index webhook_secrets_current on app.webhook_secrets (organization_id, webhook_id)
  where expires_at is null;
alter table app.webhook_secrets enable row level security, force row level security;
create policy tenant on app.webhook_secrets
  using (organization_id = app.current_organization()) with check (organization_id = app.current_organization());
create policy task on app.webhook_secrets
  using (app.current_task() = 'keep-secrets') with check (app.current_task() = 'keep-secrets');
grant select, insert, update, delete on app.webhook_secrets to memory_app;

create table app.webhook_deliveries (
  organization_id uuid not null,
  webhook_id      uuid not null,
  id              uuid not null default gen_random_uuid(),
  n               bigint not null generated always as identity,
  -- One event is delivered to a webhook once, however often it leaves the outbox.
  event_id        uuid not null,
  event_type      text not null,
  -- What is sent, byte for byte the same at each attempt.
  body            text not null,
  status          text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts        integer not null default 0,
  response_status integer,
  -- While an attempt is under way: when another may begin, in case its process died.
  next_attempt_at timestamptz,
  created_at      timestamptz not null default now(),
  primary key (organization_id, webhook_id, id),
  unique (organization_id, webhook_id, event_id),
  foreign key (organization_id, webhook_id) references app.webhooks on delete cascade,
  check ((status = 'pending') = (next_attempt_at is not null))
);
create index webhook_deliveries_newest on app.webhook_deliveries (organization_id, webhook_id, n desc);
create index webhook_deliveries_due on app.webhook_deliveries (webhook_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_by_age on app.webhook_deliveries (created_at) where status <> 'pending';
alter table app.webhook_deliveries enable row level security, force row level security;
create policy tenant on app.webhook_deliveries
  using (organization_id = app.current_organization()) with check (organization_id = app.current_organization());
create policy deliver on app.webhook_deliveries
  using (app.current_task() = 'deliver-webhooks') with check (app.current_task() = 'deliver-webhooks');
grant select, insert, update, delete on app.webhook_deliveries to memory_app;

-- Deliveries of a deleted organization wait until it is restored, or erased.
create policy deliver on app.organizations for select using (app.current_task() = 'deliver-webhooks');
