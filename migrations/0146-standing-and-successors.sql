-- Standing texts that are valid now, found without those that are over or yet to come: in the indexes of 0121 these kept out what
-- stands, where there were many. What has no end is in the order in which it matters; what has one, as what another takes the place
-- of later, is found by it, protected texts and others apart. Built beside those that they replace, so that the release before reads
-- meanwhile.
create index patterns_that_stand on app.patterns (space_id, protected desc, use_step desc nulls last, idx desc)
  where text is not null and (protected or category is not null and category <> 'preference' or use_step is not null)
    and valid_to is null and enters_at is null;
create index patterns_that_stand_of_subject
  on app.patterns (space_id, subject, protected desc, use_step desc nulls last, idx desc)
  where text is not null and (protected or category is not null and category <> 'preference' or use_step is not null)
    and valid_to is null and enters_at is null;
create index patterns_standing_until on app.patterns (space_id, protected, valid_to)
  where text is not null and (protected or category is not null and category <> 'preference' or use_step is not null)
    and valid_to is not null and enters_at is null;
create index patterns_standing_until_of_subject on app.patterns (space_id, subject, protected, valid_to)
  where text is not null and (protected or category is not null and category <> 'preference' or use_step is not null)
    and valid_to is not null and enters_at is null;

-- What a pattern took the place of, which may be several: all of them end where it begins.
create index patterns_by_successor on app.patterns (space_id, superseded_by) where superseded_by is not null;

-- By whom a version was superseded: an undo leads back to that alone. Of versions that were kept before it is not known.
alter table app.pattern_versions add column superseded_by text;
