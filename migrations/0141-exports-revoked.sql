-- An archive has what was stored before the attempt that built it began, so only what is older than that can be erased from it.
alter table app.exports add column begun_at timestamptz;
-- The attempt that began then: during an upgrade the release before may make another, and notes none.
alter table app.exports add column begun_build integer;
-- Attempts that failed by themselves: not those that began anew because something was erased, or that a process left.
alter table app.exports add column failures integer not null default 0;
-- Who revokes an archive only says so: its parts, which may be many, are removed by and by.
drop policy revoke on app.export_parts;
