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
