-- Puts the indexes of what stands in the place of those before. In a file of its own, as 0132 is: for this nobody may read, and
-- whoever is waited for would have the indexes built again.
lock table app.patterns in access exclusive mode;
drop index app.patterns_standing, app.patterns_standing_of_subject, app.patterns_used, app.patterns_used_of_subject;
alter index app.patterns_that_stand rename to patterns_standing;
alter index app.patterns_that_stand_of_subject rename to patterns_standing_of_subject;
