-- What refers to patterns. By foreign keys, the database looked for it once for each pattern that was deleted and each of 13
-- keys, which took four fifths of a deletion's time: one of 100,000 patterns took longer than a statement may, and where
-- there is one connection all others waited. Triggers do both halves for all rows of a statement together: what is deleted
-- takes along what refers to it, and nothing refers to what is not there. Which patterns a row refers to never changes. The
-- keys go where the bodies of the triggers come: in functions/patterns.sql.
create function app.require_patterns() returns trigger language plpgsql as $$ begin return null; end $$;
create function app.forget_references() returns trigger language plpgsql as $$ begin return null; end $$;

create trigger references_forgotten after delete on app.patterns referencing old table as gone
  for each statement execute function app.forget_references();

do $$
declare
  each record;
begin
  for each in
    select * from (values
      ('pattern_accesses', '{idx}'::text[]), ('pattern_versions', '{idx}'), ('passages', '{idx}'), ('associations', '{a,b}'),
      ('transitions', '{source,target}'), ('pair_trials', '{a,b}'), ('compositions', '{a,b}'), ('conflicts', '{a,b}')
    ) as t (name, columns)
  loop
    execute format(
      'create trigger patterns_required after insert on app.%I referencing new table as added
        for each statement execute function app.require_patterns(%s)',
      each.name, (select string_agg(quote_literal(c), ', ') from unnest(each.columns) as c));
  end loop;
end
$$;
