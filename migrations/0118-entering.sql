-- Patterns that are yet to become valid are shown on time: by whoever calls first from then on, in caller_of_key and
-- caller_of_session. Those stored before this are shown by the job, within a minute.

alter table app.spaces
  -- When the next pattern becomes valid, at the earliest; null where none is yet to come.
  add column next_entry timestamptz;
create index patterns_by_space_entry on app.patterns (space_id, enters_at) where enters_at is not null;
