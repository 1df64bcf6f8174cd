-- Passages of long texts, each with a vector of its own, so that recall finds what stands in the middle of one.

create table app.passages (
  space_id uuid not null,
  idx      integer not null,
  -- Place in the text, from 0.
  n        integer not null check (n >= 0),
  -- Code points of the text, from the first up to the end.
  first_character integer not null check (first_character >= 0),
  end_character   integer not null check (end_character > first_character),
  -- Made by the model that made the key of the pattern, in the same transaction.
  key      vector not null,
  primary key (space_id, idx, n),
  foreign key (space_id, idx) references app.patterns on delete cascade
);
-- Nobody looks for rows by it.
alter table app.passages alter column key set statistics 0;
alter table app.passages enable row level security, force row level security;
-- The setting is read once a statement, not once a row.
create policy tenant on app.passages
  using (space_id = (select app.current_space())) with check (space_id = (select app.current_space()));
grant select, insert, delete on app.passages to memory_app;

-- Its body is in functions/patterns.sql.
create function app.forget_passages() returns trigger language plpgsql as $$ begin return null; end $$;
-- Also where a process of the release before, which knows of no passages, changes the text.
create trigger passages_forgotten after update of text on app.patterns
  for each row when (old.text is distinct from new.text) execute function app.forget_passages();
