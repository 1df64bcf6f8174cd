-- The log of an organization says who made a key that acts, also once they are no member any more.
create policy key_creators on app.users for select
  using (app.current_task() = 'name-key-creator' and exists (
    select from app.api_keys k where k.organization_id = app.current_organization() and k.created_by = users.id
  ));
