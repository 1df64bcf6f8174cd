-- What is told of a space that has changed says, where it can, what its versions are now, see app.tell_callers.
create or replace trigger callers_changed
  after update of version, engine_version, next_entry, organization_id, environment or delete on app.spaces
  for each row when (current_setting('app.announces', true) = 'on')
  execute function app.tell_callers('space');
