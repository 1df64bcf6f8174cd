-- Patterns whose successor is not valid yet still stand: the few of them are found by when they end.
create index patterns_superseded on app.patterns (space_id, valid_to)
  where text is not null and superseded_by is not null and valid_to is not null;
