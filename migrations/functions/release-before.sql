-- What processes of the release before call, and this one no longer. It goes with the next release, by a numbered file.

create or replace function app.save_state(p_space uuid, p_state jsonb, p_records jsonb) returns bigint language sql as $$
  select app.save_state(p_space, p_state, p_records, 1000)
$$;
