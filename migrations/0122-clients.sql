-- Sessions of programs that a user has let in (OAuth): who the program is, what it may do, and the code that it exchanges.

alter table app.sessions
  -- Null for a user's own session. A program has no refresh tokens before it has exchanged the code.
  add column client jsonb,
  add column code_hash bytea unique,
  add column code_used_at timestamptz,
  add check ((client is null) = (code_hash is null));
create policy presented on app.sessions for select using (code_hash = app.presented_token());
