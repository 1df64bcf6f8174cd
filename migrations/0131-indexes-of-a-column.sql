-- An index that begins with the space is for whoever asks for its next column too. While a table is small, any of them is as
-- good for a row's own number as the primary key, and of equal ones the database takes the newest; what was planned then
-- read all of a space that had grown meanwhile, for each row that was named and for each that refers to another. A condition
-- that every row meets, and that follows only from a comparison with that column, keeps them apart. They are built beside
-- those that they replace, so that the release before reads meanwhile.
create unique index patterns_by_id on app.patterns (space_id, id) where id is not null;
create index patterns_by_version_only on app.patterns (space_id, version) where version is not null;
create index patterns_by_key_only on app.patterns (space_id, key_hash) where key_hash is not null;

create index pattern_accesses_by_version_only on app.pattern_accesses (space_id, engine_version) where engine_version is not null;

create index associations_by_b_only on app.associations (space_id, b) where b is not null;
create index associations_by_version_only on app.associations (space_id, engine_version) where engine_version is not null;

create index transitions_by_target_only on app.transitions (space_id, target) where target is not null;
create index transitions_by_version_only on app.transitions (space_id, engine_version) where engine_version is not null;

create index pair_trials_by_b_only on app.pair_trials (space_id, b) where b is not null;

create index compositions_by_b_only on app.compositions (space_id, b) where b is not null;

create unique index conflicts_by_id on app.conflicts (space_id, id) where id is not null;
create index conflicts_by_b_only on app.conflicts (space_id, b) where b is not null;
create index conflicts_by_status_only on app.conflicts (space_id, status, id) where status is not null;
