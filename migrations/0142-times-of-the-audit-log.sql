-- A time within the audit log is found by these. The indexes by number stay: exports page by them, and so does the release before.
create index audit_log_of_organization_by_time on app.audit_log (organization_id, at desc, id desc);
create index audit_log_of_user_by_time on app.audit_log (user_id, at desc, id desc);
