-- Conflicts: pairs of texts that sleep has found to say nearly the same or to contradict each other, and what was said of them.

create table app.conflicts (
  space_id    uuid not null,
  a           integer not null,
  b           integer not null check (a < b),
  -- Ids sort by when they were made.
  id          text collate "C" not null,
  kind        text not null check (kind in ('near_duplicate', 'possible_contradiction', 'superseded_candidate')),
  -- In what they contradict each other; null where nothing shows that they do.
  reason      text,
  similarity  double precision not null check (similarity between -1 and 1),
  status      text not null default 'open' check (status in ('open', 'kept', 'superseded', 'dismissed')),
  found_at    timestamptz not null,
  resolved_at timestamptz,
  -- Id of the API key or user.
  resolved_by text,
  -- Which of the two took the place of the other.
  winner      integer check (winner in (a, b)),
  primary key (space_id, a, b),
  unique (space_id, id),
  foreign key (space_id, a) references app.patterns on delete cascade,
  foreign key (space_id, b) references app.patterns on delete cascade
);
create index conflicts_by_b on app.conflicts (space_id, b);
create index conflicts_by_status on app.conflicts (space_id, status, id);
alter table app.conflicts enable row level security, force row level security;
-- The setting is read once a statement, not once a row.
create policy tenant on app.conflicts
  using (space_id = (select app.current_space())) with check (space_id = (select app.current_space()));
-- As of all that hangs on two patterns: a subject sees what hangs on patterns that it sees, and changes what hangs on its own.
create policy subject_reads on app.conflicts as restrictive for select using (
  (select app.bound_subject()) is null or (
    exists (select from app.patterns p where p.space_id = conflicts.space_id and p.idx = conflicts.a)
    and exists (select from app.patterns p where p.space_id = conflicts.space_id and p.idx = conflicts.b)
  )
);
create policy subject_inserts on app.conflicts as restrictive for insert
  with check ((select app.bound_subject()) is null);
create policy subject_updates on app.conflicts as restrictive for update using (
  (select app.bound_subject()) is null or (
    exists (select from app.patterns p
      where p.space_id = conflicts.space_id and p.idx = conflicts.a and p.subject = app.bound_subject())
    and exists (select from app.patterns p
      where p.space_id = conflicts.space_id and p.idx = conflicts.b and p.subject = app.bound_subject())
  )
);
create policy subject_deletes on app.conflicts as restrictive for delete
  using ((select app.bound_subject()) is null);
grant select, insert, update, delete on app.conflicts to memory_app;

-- Patterns up to here, by the version of the space that changed them and by idx, were looked at for conflicts.
alter table app.consolidations
  add column compared_version bigint not null default 0,
  add column compared_idx integer not null default -1;

-- Its body is in functions/conflicts.sql.
create function app.forget_conflicts() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger conflicts_forgotten after update of text, subject on app.patterns
  for each row when (old.text is distinct from new.text or old.subject is distinct from new.subject)
  execute function app.forget_conflicts();
