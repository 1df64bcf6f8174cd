-- Any space may be a large one. By statistics of their own kind, in which most spaces are small, the database took a space
-- that had grown to thousands of rows for one of two or three, and read all of it for each row that was named. So it is
-- told to expect a two-hundredth of the table in each, which is what it expects where it knows nothing, each row with a
-- number of its own, and to keep no list of the largest. An empty table is left without statistics: by those, one index of
-- it is as good as any other.
do $$
declare
  each record;
  is_empty boolean;
begin
  for each in
    select a.attrelid::regclass as name, n.attname is not null as is_numbered
      from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
      left join pg_attribute n on n.attrelid = a.attrelid and n.attname = 'idx' and not n.attisdropped
      where c.relnamespace = 'app'::regnamespace and a.attname = 'space_id' and not a.attisdropped
  loop
    execute format(
      'alter table %s alter column space_id set (n_distinct = 200), alter column space_id set statistics 1', each.name);
    if each.is_numbered then
      execute format('alter table %s alter column idx set (n_distinct = -0.005)', each.name);
    end if;
    execute format('select not exists (select from %s)', each.name) into is_empty;
    if not is_empty then
      execute format('analyze %s', each.name);
    end if;
  end loop;
end
$$;
