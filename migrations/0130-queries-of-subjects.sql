-- Whom a search names need not be there, so each name has a row: none outlives the month that it counts.
create policy purge on app.subject_queries
  using (app.current_task() = 'keep-usage' and day < date_trunc('month', now() at time zone 'utc')::date);
