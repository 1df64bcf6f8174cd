-- Sessions of users and their tokens, second factors, exports of their data; attempts that are limited; the audit log.

create table app.sessions (
  user_id        uuid not null references app.users,
  id             uuid not null default gen_random_uuid(),
  ip_address     text,
  user_agent     text,
  created_at     timestamptz not null default now(),
  last_active_at timestamptz not null default now(),
  expires_at     timestamptz not null,
  revoked_at     timestamptz,
  primary key (user_id, id)
);
create index sessions_by_expiry on app.sessions (expires_at);
alter table app.sessions enable row level security, force row level security;
create policy tenant on app.sessions
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
create policy purge on app.sessions
  using (app.current_task() = 'purge-sessions' and (expires_at < now() or revoked_at < now() - interval '30 days'));
grant select, insert, update, delete on app.sessions to memory_app;
create trigger callers_changed after update of user_id, expires_at, revoked_at or delete on app.sessions
  for each statement when (current_setting('app.announces', true) = 'on') execute function app.tell_callers();

-- A family of refresh tokens is a session; each token is spent once.
create table app.refresh_tokens (
  user_id    uuid not null,
  token_hash bytea not null unique,
  session_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  spent_at   timestamptz,
  -- When the exchange was known to be committed: who asked before that overlapped it, who asks later repeats it.
  settled_at timestamptz,
  primary key (user_id, token_hash),
  foreign key (user_id, session_id) references app.sessions on delete cascade
);
create index refresh_tokens_by_session on app.refresh_tokens (user_id, session_id);
alter table app.refresh_tokens enable row level security, force row level security;
create policy tenant on app.refresh_tokens
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
create policy presented on app.refresh_tokens for select using (token_hash = app.presented_token());
grant select, insert, update, delete on app.refresh_tokens to memory_app;

-- Verification of an address, and reset of a password: one token of a kind at a time, a new one voids the old.
create table app.email_tokens (
  user_id    uuid not null references app.users,
  purpose    text not null check (purpose in ('verify-email', 'reset-password')),
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);
alter table app.email_tokens enable row level security, force row level security;
create policy tenant on app.email_tokens
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
create policy presented on app.email_tokens for select using (token_hash = app.presented_token());
grant select, insert, update, delete on app.email_tokens to memory_app;

-- Second factors: one TOTP generator a user, recovery codes, and the challenge between password and code.
create table app.mfa_factors (
  user_id      uuid primary key references app.users,
  -- The TOTP seed, sealed under the master key.
  secret       bytea not null,
  created_at   timestamptz not null default now(),
  -- Null while enrolment is under way.
  confirmed_at timestamptz,
  -- The time step of the last code that was accepted for signing in: no code works twice. Enrolling and disabling
  -- happen once to a factor.
  login_step   bigint not null default 0
);
alter table app.mfa_factors enable row level security, force row level security;
create policy tenant on app.mfa_factors
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
-- Secrets are sealed anew when the master key changes.
create policy task on app.mfa_factors
  using (app.current_task() = 'keep-secrets') with check (app.current_task() = 'keep-secrets');
grant select, insert, update, delete on app.mfa_factors to memory_app;

create table app.mfa_recovery_codes (
  user_id   uuid not null references app.users,
  code_hash bytea not null,
  used_at   timestamptz,
  primary key (user_id, code_hash)
);
alter table app.mfa_recovery_codes enable row level security, force row level security;
create policy tenant on app.mfa_recovery_codes
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
grant select, insert, update, delete on app.mfa_recovery_codes to memory_app;

create table app.mfa_challenges (
  user_id    uuid not null references app.users,
  id         uuid not null default gen_random_uuid(),
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  failures   integer not null default 0,
  used_at    timestamptz,
  primary key (user_id, id)
);
create index mfa_challenges_by_expiry on app.mfa_challenges (expires_at);
alter table app.mfa_challenges enable row level security, force row level security;
create policy tenant on app.mfa_challenges
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());
create policy presented on app.mfa_challenges for select using (token_hash = app.presented_token());
create policy purge on app.mfa_challenges
  using (app.current_task() = 'purge-sessions' and expires_at < now());
grant select, insert, update, delete on app.mfa_challenges to memory_app;

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

-- Attempts of one kind from one source within a window. The bucket is a hash: neither addresses nor emails stay here.
create table app.attempts (
  bucket  bytea primary key,
  count   integer not null,
  ends_at timestamptz not null
);
create index attempts_by_end on app.attempts (ends_at);
alter table app.attempts enable row level security, force row level security;
create policy task on app.attempts
  using (app.current_task() = 'throttle') with check (app.current_task() = 'throttle');
grant select, insert, update, delete on app.attempts to memory_app;

-- What was done, by whom, from where. The service's role adds and reads; nothing changes or removes an entry.
create table app.audit_log (
  id              bigint generated always as identity primary key,
  at              timestamptz not null default now(),
  action          text not null,
  success         boolean not null,
  -- Whose log it is in: the organization's, and that of the user whom it concerns. At least one.
  organization_id uuid,
  user_id         uuid,
  actor           text not null check (actor in ('user', 'key', 'system')),
  actor_id        uuid,
  actor_email     text,
  session_id      uuid,
  ip              text,
  user_agent      text,
  request_id      text,
  -- What was acted on: the id of a key, session, member, webhook ...
  target          text,
  details         jsonb,
  check (organization_id is not null or user_id is not null)
);
create index audit_log_of_organization on app.audit_log (organization_id, id desc);
create index audit_log_of_user on app.audit_log (user_id, id desc);
alter table app.audit_log enable row level security, force row level security;
create policy tenant on app.audit_log
  using (organization_id = app.current_organization() or user_id = app.current_user_id())
  with check (organization_id = app.current_organization() or user_id = app.current_user_id());
create policy erase on app.audit_log for update
  using (app.current_task() = 'erase-account') with check (app.current_task() = 'erase-account');
create policy erase_reads on app.audit_log for select using (app.current_task() = 'erase-account');
create policy purge on app.audit_log for delete
  using (app.current_task() = 'purge-audit-log' and at < now() - interval '30 days');
-- Whoever purges reads all of it: in the order of ids, which is that of time, the first that is too young ends the search.
create policy purge_reads on app.audit_log for select using (app.current_task() = 'purge-audit-log');
grant select, insert on app.audit_log to memory_app;
