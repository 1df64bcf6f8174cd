-- What platform admins look at: organizations and users newest first, and what all of them hold and ask.

create index organizations_by_creation on app.organizations (created_at desc, id desc);
create index users_by_creation on app.users (created_at desc, id desc);
create policy administer on app.spaces for select using (app.current_task() = 'administer-accounts');
create policy administer on app.usage_calls for select using (app.current_task() = 'administer-accounts');
