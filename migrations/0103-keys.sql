-- API keys of organizations, and the service's own keys: what the master key has to open, and what signs access tokens.

create table app.api_keys (
  organization_id uuid not null references app.organizations,
  id              uuid not null default gen_random_uuid(),
  name            text not null,
  environment     text not null check (environment in ('live', 'test')),
  key_prefix      text not null,
  last_four       text not null,
  key_hash        bytea not null unique,
  scopes          text[],
  created_at      timestamptz not null default now(),
  last_used_at    timestamptz,
  expires_at      timestamptz,
  revoked_at      timestamptz,
  -- Whose key it is, for the audit log; null for keys that an operator made.
  created_by      uuid,
  -- When it was told that the key expires soon: once for each key.
  expiry_told_at  timestamptz,
  primary key (organization_id, id)
);
create index api_keys_expiring on app.api_keys (expires_at) where revoked_at is null and expiry_told_at is null;
create index api_keys_by_end on app.api_keys (least(revoked_at, expires_at))
  where revoked_at is not null or expires_at is not null;
alter table app.api_keys enable row level security, force row level security;
create policy tenant on app.api_keys
  using (organization_id = app.current_organization())
  with check (organization_id = app.current_organization());
-- Before its organization is known, a key's row is visible to whoever presents the key.
create policy presented on app.api_keys for select
  using (key_hash = decode(nullif(current_setting('app.key_hash', true), ''), 'hex'));
create policy expiring on app.api_keys
  using (app.current_task() = 'tell-of-expiring-keys' and revoked_at is null
    and expires_at > now() and expires_at < now() + interval '7 days')
  with check (app.current_task() = 'tell-of-expiring-keys' and expiry_told_at is not null);
create policy purge on app.api_keys
  using (app.current_task() = 'purge-keys'
    and (revoked_at < now() - interval '90 days' or expires_at < now() - interval '90 days'));
grant select, insert, update, delete on app.api_keys to memory_app;
create trigger callers_changed
  after update of organization_id, environment, scopes, key_hash, expires_at, revoked_at or delete on app.api_keys
  for each row when (current_setting('app.announces', true) = 'on')
  execute function app.tell_callers('organization_id');

-- What the master key that the service runs with must be able to open.
create table app.master_keys (
  version    text primary key,
  proof      bytea not null,
  created_at timestamptz not null default now()
);
alter table app.master_keys enable row level security, force row level security;
create policy task on app.master_keys
  using (app.current_task() = 'keep-secrets') with check (app.current_task() = 'keep-secrets');
grant select, insert, update, delete on app.master_keys to memory_app;

-- RSA keys. Published from created_at on; of those that sign now (signs_from to signs_until), the one that began last
-- does; tokens that it signed hold until retired_at. In an emergency retired_at is now.
create table app.signing_keys (
  -- RFC 7638 thumbprint.
  kid         text primary key,
  public_key  jsonb not null,
  -- PKCS #8, sealed under the master key.
  private_key bytea not null,
  created_at  timestamptz not null default now(),
  signs_from  timestamptz not null,
  signs_until timestamptz,
  retired_at  timestamptz
);
alter table app.signing_keys enable row level security, force row level security;
create policy task on app.signing_keys
  using (app.current_task() = 'keep-secrets') with check (app.current_task() = 'keep-secrets');
create policy verify on app.signing_keys for select
  using (kid = nullif(current_setting('app.kid', true), ''));
grant select, insert, update, delete on app.signing_keys to memory_app;
create trigger callers_changed after update or delete on app.signing_keys
  for each statement when (current_setting('app.announces', true) = 'on') execute function app.tell_callers();
