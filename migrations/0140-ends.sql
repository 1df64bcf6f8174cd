-- What is purged, and keys that expire soon, are found by an index, not by reading the whole table, as often as each minute.
create index sessions_by_revocation on app.sessions (revoked_at) where revoked_at is not null;
create index invitations_by_expiry on app.invitations (expires_at);
create index query_counts_by_day on app.query_counts (day);
create index subject_queries_by_day on app.subject_queries (day);
