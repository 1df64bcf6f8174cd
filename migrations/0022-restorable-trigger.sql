-- pg_restore works with an empty search_path, in which a condition of a trigger finds no operator of vectors: the
-- comparison is made when the trigger fires.
create or replace function app.forget_compositions() returns trigger language plpgsql as $$
begin
  if old.key is distinct from new.key then
    delete from app.pair_trials t where t.space_id = new.space_id and (t.a = new.idx or t.b = new.idx);
    delete from app.compositions c where c.space_id = new.space_id and (c.a = new.idx or c.b = new.idx);
  end if;
  return null;
end
$$;
drop trigger pattern_rekeyed on app.patterns;
create trigger pattern_rekeyed after update of key on app.patterns
  for each row execute function app.forget_compositions();
