-- The mean of what a space was asked had in it what was asked of a part of it, of one end user say, and kept that when they were
-- erased. It is made of what is asked of the whole from here on.
alter table app.space_states no force row level security;
update app.space_states e set state = e.state || '{"asked": {"mean": [], "count": 0}}'
  where (e.state -> 'asked' ->> 'count')::float8 > 0;
alter table app.space_states force row level security;
