-- Personal facts of a space, newest first: `listImportant` reads the last entries and no other rows.
create index patterns_important on app.patterns (space_id, idx)
  where category is not null and category <> 'preference' and text is not null;
