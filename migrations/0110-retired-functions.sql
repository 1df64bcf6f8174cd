-- Nothing calls these since the release before: what authenticated, filtered, counted and claimed before it.
drop function if exists app.authenticate_api_key(bytea, text, integer);
drop function if exists app.authenticate_session(uuid, uuid, text, uuid, text, integer);
drop function if exists app.filter_patterns(uuid, jsonb, boolean);
drop function if exists app.record_accesses(uuid, integer[], integer[], timestamptz, double precision);
drop function if exists app.claim_idempotency_key(uuid, text, text, bytea, interval);
drop function if exists app.release_idempotency_key(uuid, text, text, text);
