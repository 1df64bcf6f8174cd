-- Whether who registered sat at the machine that the service runs on. Of those who registered before it is not known.
alter table app.users add column registered_locally boolean not null default false;
-- Each start compares the platform admins with the settings, however many users there are.
create index users_platform_admins on app.users (id) where is_platform_admin;
