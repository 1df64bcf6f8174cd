-- A pattern that is gone is not what was found last either. Whoever deletes patterns holds the lock of their space, under
-- which alone its state is written.
create function app.forget_last_found() returns trigger language plpgsql as $$
begin
  update app.space_states e set state = e.state || '{"lastTop": null}'
    from gone g where e.space_id = g.space_id and (e.state ->> 'lastTop')::integer = g.idx;
  return null;
end
$$;
create trigger last_found_forgotten after delete on app.patterns referencing old table as gone
  for each statement execute function app.forget_last_found();
