-- Puts the indexes of 0131 in the places of those before.
lock table app.patterns, app.pattern_accesses, app.associations, app.transitions, app.pair_trials, app.compositions, app.conflicts
  in access exclusive mode;
alter table app.patterns drop constraint patterns_space_id_id_key;
alter table app.conflicts drop constraint conflicts_space_id_id_key;
drop index app.patterns_by_version;
alter index app.patterns_by_version_only rename to patterns_by_version;
drop index app.patterns_by_key;
alter index app.patterns_by_key_only rename to patterns_by_key;
drop index app.pattern_accesses_by_version;
alter index app.pattern_accesses_by_version_only rename to pattern_accesses_by_version;
drop index app.associations_by_b;
alter index app.associations_by_b_only rename to associations_by_b;
drop index app.associations_by_version;
alter index app.associations_by_version_only rename to associations_by_version;
drop index app.transitions_by_target;
alter index app.transitions_by_target_only rename to transitions_by_target;
drop index app.transitions_by_version;
alter index app.transitions_by_version_only rename to transitions_by_version;
drop index app.pair_trials_by_b;
alter index app.pair_trials_by_b_only rename to pair_trials_by_b;
drop index app.compositions_by_b;
alter index app.compositions_by_b_only rename to compositions_by_b;
drop index app.conflicts_by_b;
alter index app.conflicts_by_b_only rename to conflicts_by_b;
drop index app.conflicts_by_status;
alter index app.conflicts_by_status_only rename to conflicts_by_status;
