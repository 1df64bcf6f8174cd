-- Organizations with their plan and members, users, invitations, and what the payment provider has told.

-- Filled from the service's plan table at each migration run, so that a quota is checked where it is counted.
create table app.plans (
  name            text primary key,
  patterns        bigint not null,
  queries_per_day bigint not null,
  api_keys        bigint not null,
  members         bigint not null
);
grant select on app.plans to memory_app;
create trigger callers_changed after insert or update or delete on app.plans
  for each statement when (current_setting('app.announces', true) = 'on') execute function app.tell_callers();

create table app.organizations (
  id         uuid primary key default gen_random_uuid(),
  name       text not null,
  plan       text not null references app.plans,
  created_at timestamptz not null default now(),
  -- A deleted organization is kept for 30 days and meanwhile unknown to everybody; then it is erased.
  deleted_at timestamptz,
  -- When the payment provider's last word on the plan was true: an older one that arrives later is passed over.
  billed_at  timestamptz
);
create index organizations_by_deletion on app.organizations (deleted_at) where deleted_at is not null;
alter table app.organizations enable row level security, force row level security;
create policy tenant on app.organizations
  using (id = app.current_organization()) with check (id = app.current_organization());
create policy accounts on app.organizations
  using (app.current_task() = 'administer-accounts') with check (app.current_task() = 'administer-accounts');
-- Erasing goes on as the tenant that is erased; the task only finds what is due. That nothing else is removed whole does
-- not hang on the statements that erase: organizations, spaces and users give no other row away, whoever asks.
create policy erase on app.organizations
  using (app.current_task() = 'erase-account' and app.is_erasable(deleted_at));
create policy kept on app.organizations as restrictive for delete using (app.is_erasable(deleted_at));
-- Deliveries of a deleted organization wait until it is restored, or erased.
create policy deliver on app.organizations for select using (app.current_task() = 'deliver-webhooks');
create policy schedule on app.organizations for select using (app.current_task() = 'schedule-spaces');
grant select, insert, update, delete on app.organizations to memory_app;
create trigger callers_changed after update of plan, deleted_at or delete on app.organizations
  for each row when (current_setting('app.announces', true) = 'on') execute function app.tell_callers('id');

create table app.users (
  id                uuid primary key default gen_random_uuid(),
  email             text not null unique check (email = lower(email)),
  full_name         text,
  avatar_url        text,
  -- argon2id in PHC form.
  password_hash     text not null,
  email_verified_at timestamptz,
  status            text not null default 'active' check (status in ('active', 'suspended', 'deleted')),
  is_platform_admin boolean not null default false,
  created_at        timestamptz not null default now(),
  last_login_at     timestamptz not null default now(),
  deleted_at        timestamptz,
  -- Whether who registered sat at the machine that the service runs on.
  registered_locally boolean not null default false,
  check ((status = 'deleted') = (deleted_at is not null))
);
create index users_by_deletion on app.users (deleted_at) where deleted_at is not null;
-- Each start compares the platform admins with the settings, however many users there are.
create index users_platform_admins on app.users (id) where is_platform_admin;
alter table app.users enable row level security, force row level security;
create policy tenant on app.users using (id = app.current_user_id()) with check (id = app.current_user_id());
-- Before it is known who signs in, a user's row is visible by the email that was given.
create policy presented on app.users for select using (email = nullif(current_setting('app.email', true), ''));
create policy accounts on app.users
  using (app.current_task() = 'administer-accounts') with check (app.current_task() = 'administer-accounts');
create policy erase on app.users
  using (app.current_task() = 'erase-account' and app.is_erasable(deleted_at));
create policy kept on app.users as restrictive for delete using (app.is_erasable(deleted_at));
grant select, insert, update, delete on app.users to memory_app;
create trigger callers_changed
  after update of email, email_verified_at, is_platform_admin, status or delete on app.users
  for each statement when (current_setting('app.announces', true) = 'on') execute function app.tell_callers();

create table app.memberships (
  organization_id uuid not null references app.organizations,
  user_id         uuid not null references app.users,
  role            text not null check (role in ('owner', 'admin', 'member')),
  joined_at       timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index memberships_by_user on app.memberships (user_id, joined_at, organization_id);
alter table app.memberships enable row level security, force row level security;
create policy tenant on app.memberships
  using (organization_id = app.current_organization()) with check (organization_id = app.current_organization());
create policy own on app.memberships for select using (user_id = app.current_user_id());
create policy accounts on app.memberships
  using (app.current_task() = 'administer-accounts') with check (app.current_task() = 'administer-accounts');
create policy erase on app.memberships
  using (app.current_task() = 'erase-account'
    and (user_id = app.current_user_id() or organization_id = app.current_organization()));
grant select, insert, update, delete on app.memberships to memory_app;
create trigger callers_changed after insert or update or delete on app.memberships
  for each statement when (current_setting('app.announces', true) = 'on') execute function app.tell_callers();

-- These look into memberships.
create policy member on app.organizations for select
  using (exists (
    select from app.memberships m where m.organization_id = organizations.id and m.user_id = app.current_user_id()
  ));
create policy fellow_members on app.users for select
  using (exists (
    select from app.memberships m where m.organization_id = app.current_organization() and m.user_id = users.id
  ));

create table app.invitations (
  organization_id uuid not null references app.organizations,
  id              uuid not null default gen_random_uuid(),
  email           text not null check (email = lower(email)),
  role            text not null check (role in ('owner', 'admin', 'member')),
  token_hash      bytea not null unique,
  invited_by      uuid not null,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null,
  primary key (organization_id, id),
  -- A new invitation of the same address takes the place of the old one.
  unique (organization_id, email)
);
alter table app.invitations enable row level security, force row level security;
create policy tenant on app.invitations
  using (organization_id = app.current_organization()) with check (organization_id = app.current_organization());
create policy presented on app.invitations for select using (token_hash = app.presented_token());
-- Who did not come is forgotten: their address may be all that is known of them.
create policy purge on app.invitations
  using (app.current_task() = 'purge-invitations' and expires_at < now());
grant select, insert, update, delete on app.invitations to memory_app;

-- Events of the payment provider that were handled: each is handled once.
create table app.billing_events (
  webhook_id  text primary key,
  received_at timestamptz not null default now()
);
alter table app.billing_events enable row level security, force row level security;
create policy task on app.billing_events
  using (app.current_task() = 'handle-billing') with check (app.current_task() = 'handle-billing');
grant select, insert, delete on app.billing_events to memory_app;
