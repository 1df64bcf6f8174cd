-- What a context begins with whatever is asked: texts that are protected or state something of a person, and those that are
-- in most answers. Each is found as the first entries of an index, of the space and of each subject; what was superseded is in
-- none, so that a fact that changes each day does not keep others out.

alter table app.patterns
  -- In how many answers it was, in steps of four times as many: 1 from 16 on. Null for fewer.
  add column use_step smallint;
create index patterns_standing on app.patterns (space_id, protected, idx)
  where text is not null and superseded_by is null
    and (protected or category is not null and category <> 'preference');
create index patterns_standing_of_subject on app.patterns (space_id, subject, protected, idx)
  where text is not null and superseded_by is null
    and (protected or category is not null and category <> 'preference');
create index patterns_used on app.patterns (space_id, use_step, idx)
  where text is not null and superseded_by is null and use_step is not null;
create index patterns_used_of_subject on app.patterns (space_id, subject, use_step, idx)
  where text is not null and superseded_by is null and use_step is not null;
-- What has ended since a time.
create index patterns_by_end on app.patterns (space_id, valid_to) where valid_to is not null;
