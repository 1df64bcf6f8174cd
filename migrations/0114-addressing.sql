-- Patterns under names of their callers, of end users (subjects), in versions, and valid for a time. Of a row from before,
-- and of one that a process of the release before stores, nothing of it is known: nulls say so, and no row is rewritten.

alter table app.patterns
  -- A caller's own name for it.
  add column external_id text,
  add column subject text,
  -- What the API calls its version; `version` is the space's.
  add column revision integer not null default 1,
  -- When the revision was made; null for when the pattern was.
  add column updated_at timestamptz,
  -- Who made the revision: the id of a key or user, null for the service itself or unknown; and how, null for created.
  add column changed_by text,
  add column change text,
  -- What it tells holds from here, null from occurred_at, to there, null for without end.
  add column valid_from timestamptz,
  add column valid_to timestamptz,
  -- Ids of the patterns whose place it took and that took its place.
  add column supersedes text,
  add column superseded_by text,
  -- Not null until it is valid: such a pattern is in no search and no list.
  add column enters_at timestamptz;
create unique index patterns_by_external_id on app.patterns (space_id, external_id) where external_id is not null;
create index patterns_by_subject on app.patterns (space_id, subject, idx) where subject is not null;
create index patterns_by_entry on app.patterns (enters_at) where enters_at is not null;
create policy entering on app.patterns for select
  using (app.current_task() = 'enter-patterns' and enters_at <= now());

-- What revisions of patterns held that others replaced.
create table app.pattern_versions (
  space_id    uuid not null,
  idx         integer not null,
  revision    integer not null check (revision > 0),
  text        text,
  metadata    jsonb,
  -- Null, like the rest of its contents, of one that was redacted.
  key         vector,
  value       vector,
  source_dim  integer,
  model       text,
  subject     text,
  external_id text,
  occurred_at timestamptz,
  expires_at  timestamptz,
  valid_from  timestamptz,
  valid_to    timestamptz,
  -- When, by whom and how it was made, and since when another one is there in its place.
  changed_at  timestamptz not null,
  changed_by  text,
  change      text not null check (change in ('created', 'updated', 'superseded', 'reverted', 'merged')),
  replaced_at timestamptz not null default now(),
  redacted_at timestamptz,
  primary key (space_id, idx, revision),
  foreign key (space_id, idx) references app.patterns on delete cascade
);
create index pattern_versions_by_age on app.pattern_versions (replaced_at);
-- Nobody looks for rows by these.
alter table app.pattern_versions alter column key set statistics 0, alter column value set statistics 0,
  alter column text set statistics 0;
alter table app.pattern_versions enable row level security, force row level security;
-- The setting is read once a statement, not once a row.
create policy tenant on app.pattern_versions
  using (space_id = (select app.current_space())) with check (space_id = (select app.current_space()));
create policy purge on app.pattern_versions
  using (app.current_task() = 'purge-versions' and replaced_at < now() - interval '365 days');
grant select, insert, update, delete on app.pattern_versions to memory_app;
