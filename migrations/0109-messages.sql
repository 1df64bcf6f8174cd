-- What leaves the service: events through the outbox, mails, notifications, webhooks.

-- Events leave through the outbox: appended in the transaction of their cause, relayed afterwards.
create table app.outbox (
  id              bigint generated always as identity,
  -- Null for what concerns a user alone.
  organization_id uuid references app.organizations,
  type            text not null,
  payload         jsonb not null,
  attempts        integer not null default 0,
  available_at    timestamptz not null default now(),
  created_at      timestamptz not null default now(),
  -- By which receivers know a repetition.
  event_id        uuid not null default gen_random_uuid(),
  primary key (id)
);
create index outbox_by_availability on app.outbox (available_at, id);
alter table app.outbox enable row level security, force row level security;
create policy relay on app.outbox
  using (app.current_task() = 'relay-outbox') with check (app.current_task() = 'relay-outbox');
create policy tenant on app.outbox for insert
  with check (organization_id = app.current_organization()
    or (organization_id is null and (app.current_user_id() is not null or app.current_task() is not null)));
create policy erase on app.outbox
  using (app.current_task() = 'erase-account' and (
    organization_id = app.current_organization()
    or (organization_id is null and payload ->> 'userId' = app.current_user_id()::text)
  ));
grant select, insert, update, delete on app.outbox to memory_app;
create trigger outbox_appended after insert on app.outbox
  for each statement execute function app.notify_outbox();

-- A mail is written in the transaction of its cause and removed when it has been sent. What it is about (among it links
-- with tokens) is sealed under the master key.
create table app.mails (
  id         uuid primary key default gen_random_uuid(),
  -- Whom it concerns; null for people who are no users, then the organization that writes.
  user_id    uuid references app.users,
  organization_id uuid references app.organizations,
  recipient  text not null,
  template   text not null,
  parameters bytea not null,
  created_at timestamptz not null default now(),
  check (user_id is not null or organization_id is not null)
);
create index mails_by_user on app.mails (user_id);
alter table app.mails enable row level security, force row level security;
create policy tenant on app.mails
  using (user_id = app.current_user_id() or organization_id = app.current_organization())
  with check (user_id = app.current_user_id() or organization_id = app.current_organization());
create policy task on app.mails
  using (app.current_task() in ('send-mail', 'keep-secrets'))
  with check (app.current_task() in ('send-mail', 'keep-secrets'));
grant select, insert, update, delete on app.mails to memory_app;

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
create policy deliver on app.webhook_secrets for select using (app.current_task() = 'deliver-webhooks');
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
  -- What the owners of the webhook see of its last answer: how its body begins, and how long the attempt took.
  response_body   text,
  duration_ms     integer,
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
