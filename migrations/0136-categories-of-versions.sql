-- What a pattern was is told apart by the category that it had then. Versions that were kept before have none.
alter table app.pattern_versions add column category text;
