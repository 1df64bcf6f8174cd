-- What is told of a space that has changed says, where it can, what its versions are now, see app.tell_callers.
create or replace trigger callers_changed
  after update of version, engine_version, next_entry, organization_id, environment or delete on app.spaces
  for each row when (current_setting('app.announces', true) = 'on')
  execute function app.tell_callers('space');

-- Of links there are few to a pattern. With so many spaces expected as 0128 has it, a table of some hundred was expected to have
-- one for each space, so that all links of a space were as good as those of a pattern, and were read for each.
alter table app.associations alter column space_id set (n_distinct = 20);
alter table app.transitions alter column space_id set (n_distinct = 20);
