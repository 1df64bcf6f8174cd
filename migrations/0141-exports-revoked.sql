-- Who revokes an archive only says so: its parts, which may be many, are removed by and by.
drop policy revoke on app.export_parts;
