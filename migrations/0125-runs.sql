-- Sleeps and explorations of a space: when each ran, why, and what it did. The newest of a space are kept.

create table app.space_runs (
  space_id uuid not null references app.spaces on delete cascade,
  -- Ids sort by when the runs began.
  id       text collate "C" not null,
  kind     text not null check (kind in ('sleep', 'exploration')),
  cause    text not null check (cause in ('asked', 'scheduled')),
  began_at timestamptz not null,
  -- Null while it has not come to its end: the next part of it goes on.
  ended_at timestamptz,
  -- What it did so far, by the names that its answer has.
  counts   jsonb not null,
  -- The code of the error that it ended in.
  error    text,
  primary key (space_id, id)
);
alter table app.space_runs enable row level security, force row level security;
create policy tenant on app.space_runs
  using (space_id = (select app.current_space())) with check (space_id = (select app.current_space()));
-- It is of the space as a whole, which is nothing to a subject.
create policy subject on app.space_runs as restrictive using ((select app.bound_subject()) is null);
grant select, insert, update, delete on app.space_runs to memory_app;
