-- What each subject of an organization may have and ask; null for what the plan allows to all of them together.
alter table app.organizations
  add column subject_patterns integer check (subject_patterns >= 0),
  add column subject_queries_per_day integer check (subject_queries_per_day >= 0);

-- Queries of the subjects of organizations that limit them: one row each, of the last day and month that had any.
create table app.subject_queries (
  space_id   uuid not null references app.spaces on delete cascade,
  subject    text not null,
  day        date not null,
  of_day     integer not null check (of_day >= 0),
  of_month   integer not null check (of_month >= 0),
  primary key (space_id, subject)
);
alter table app.subject_queries enable row level security, force row level security;
create policy tenant on app.subject_queries
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy subject on app.subject_queries as restrictive
  using ((select app.bound_subject()) is null or subject = (select app.bound_subject()));
grant select, insert, update, delete on app.subject_queries to memory_app;

-- Their body is in functions/subjects.sql.
create function app.limit_subjects() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger subjects_limited after insert on app.patterns referencing new table as added
  for each statement execute function app.limit_subjects();
