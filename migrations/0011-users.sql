-- Users, the organizations they belong to, and invitations to them.

-- The user of the running transaction; null without one.
create function app.current_user_id() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;
-- Hash of the single-use token that the running transaction was given; null without one. What a token stands for is
-- visible to whoever presents it, before anything else of them is known.
create function app.presented_token() returns bytea language sql stable parallel safe
  return decode(nullif(current_setting('app.token_hash', true), ''), 'hex');

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
  check ((status = 'deleted') = (deleted_at is not null))
);
create index users_by_deletion on app.users (deleted_at) where deleted_at is not null;

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
grant select, insert, update, delete on app.memberships to memory_app;

alter table app.users enable row level security, force row level security;
create policy tenant on app.users using (id = app.current_user_id()) with check (id = app.current_user_id());
-- Before it is known who signs in, a user's row is visible by the email that was given.
create policy presented on app.users for select using (email = nullif(current_setting('app.email', true), ''));
create policy fellow_members on app.users for select
  using (exists (
    select from app.memberships m where m.organization_id = app.current_organization() and m.user_id = users.id
  ));
create policy accounts on app.users
  using (app.current_task() = 'administer-accounts') with check (app.current_task() = 'administer-accounts');
grant select, insert, update, delete on app.users to memory_app;

-- A deleted organization is kept for 30 days and meanwhile unknown to everybody; then it is erased.
alter table app.organizations add column deleted_at timestamptz;
create index organizations_by_deletion on app.organizations (deleted_at) where deleted_at is not null;
create policy member on app.organizations for select
  using (exists (
    select from app.memberships m where m.organization_id = organizations.id and m.user_id = app.current_user_id()
  ));
create policy accounts on app.organizations
  using (app.current_task() = 'administer-accounts') with check (app.current_task() = 'administer-accounts');

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

-- Whose key it is, for the audit log; null for keys that an operator made.
alter table app.api_keys add column created_by uuid;
