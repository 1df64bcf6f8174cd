-- Receipts of erasures, and the keys that sign them.

-- RSA keys that sign nothing but receipts. Receipts are kept for years, so each key stays published for good; the
-- private one goes when the next key signs.
create table app.receipt_keys (
  -- RFC 7638 thumbprint.
  kid         text primary key,
  public_key  jsonb not null,
  -- PKCS #8, sealed under the master key.
  private_key bytea,
  created_at  timestamptz not null default now()
);
alter table app.receipt_keys enable row level security, force row level security;
create policy task on app.receipt_keys
  using (app.current_task() = 'keep-secrets') with check (app.current_task() = 'keep-secrets');
grant select, insert, update, delete on app.receipt_keys to memory_app;

-- Signed statements of what was erased: hashes and counts, no content and no ids of patterns. They outlive their
-- organization, so nothing refers to it.
create table app.receipts (
  id              uuid primary key,
  n               bigint not null generated always as identity,
  organization_id uuid not null,
  -- Null where the whole organization was erased.
  space_id        uuid,
  receipt         text not null,
  created_at      timestamptz not null default now()
);
create index receipts_newest on app.receipts (organization_id, n desc);
alter table app.receipts enable row level security, force row level security;
create policy tenant on app.receipts
  using (organization_id = app.current_organization()) with check (organization_id = app.current_organization());
create policy administer on app.receipts for select using (app.current_task() = 'administer-accounts');
grant select, insert on app.receipts to memory_app;

-- What has been erased so far of an organization that is being erased in several transactions.
create table app.erasures_under_way (
  organization_id uuid primary key references app.organizations on delete cascade,
  begun_at        timestamptz not null default now(),
  counts          jsonb not null default '{}'
);
alter table app.erasures_under_way enable row level security, force row level security;
create policy tenant on app.erasures_under_way
  using (app.current_task() = 'erase-account' and organization_id = app.current_organization())
  with check (app.current_task() = 'erase-account' and organization_id = app.current_organization());
grant select, insert, update, delete on app.erasures_under_way to memory_app;

-- What an erasure counts it removes itself, and leaves nothing to the foreign key.
grant delete on app.pattern_accesses to memory_app;

-- Archives for the owners of an organization hold what is erased of it.
create policy revoke on app.exports
  using (app.current_task() = 'revoke-exports' and user_id in (
    select m.user_id from app.memberships m where m.organization_id = app.current_organization() and m.role = 'owner'
  ));
create policy revoke on app.export_parts
  using (app.current_task() = 'revoke-exports' and user_id in (
    select m.user_id from app.memberships m where m.organization_id = app.current_organization() and m.role = 'owner'
  ));
