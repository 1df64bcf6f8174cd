-- Whether who registered sat at the machine that the service runs on. Of those who registered before it is not known.
alter table app.users add column registered_locally boolean not null default false;
