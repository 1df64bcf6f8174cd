-- A time within the audit log is found by these, where the indexes before had all entries in the order of their numbers.
create index audit_log_of_organization_by_time on app.audit_log (organization_id, at desc, id desc);
create index audit_log_of_user_by_time on app.audit_log (user_id, at desc, id desc);
drop index app.audit_log_of_organization;
drop index app.audit_log_of_user;
