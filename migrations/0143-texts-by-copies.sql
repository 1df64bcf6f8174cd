-- Puts the index of copies in the place of that of texts, by which it begins. In a file of its own, as 0132 is: for this nobody may
-- read, and whoever is waited for would have the index built again.
lock table app.patterns in access exclusive mode;
drop index app.patterns_by_text;
alter index app.patterns_copies rename to patterns_by_text;
