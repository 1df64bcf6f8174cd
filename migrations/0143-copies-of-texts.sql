-- The copies of a text that one end user has, or that are of nobody, are a range of this index, in their order: sleep looks for
-- them, and read those of all end users. A coalesce would say the same, but under row level security none is looked up by an index.
-- It is built beside the index of texts, so that the release before reads meanwhile.
create index patterns_copies
  on app.patterns (space_id, text_hash, (case when subject is null then '' else subject end), idx) where text_hash is not null;
