-- What receipts of erasures count.

-- Removes what hangs on patterns (p_idx null: on all of the space), which is about to go with them, and says how much that
-- was. In the transaction that removes the patterns, whose space it has locked.
create or replace function app.erase_beside(p_space uuid, p_idx integer[]) returns jsonb
language plpgsql set enable_seqscan = off as $$
declare
  subject text;
  part record;
  erased bigint;
  counts jsonb := '{}';
begin
  perform set_config('app.space_id', p_space::text, true);
  if app.bound_subject() is not null then
    p_idx := array(select p.idx from app.patterns p
      where p.space_id = p_space and p.subject = app.bound_subject() and (p_idx is null or p.idx = any (p_idx)));
  end if;
  -- A link between patterns of two subjects goes with either.
  subject := app.leave_subject();
  for part in
    select * from (values
      ('versions', 'pattern_versions', 't.idx = any ($2)'),
      ('passages', 'passages', 't.idx = any ($2)'),
      ('accesses', 'pattern_accesses', 't.idx = any ($2)'),
      ('associations', 'associations', '(t.a = any ($2) or t.b = any ($2))'),
      ('transitions', 'transitions', '(t.source = any ($2) or t.target = any ($2))'),
      ('trials', 'pair_trials', '(t.a = any ($2) or t.b = any ($2))'),
      ('compositions', 'compositions', '(t.a = any ($2) or t.b = any ($2))'),
      ('conflicts', 'conflicts', '(t.a = any ($2) or t.b = any ($2))'),
      ('traces', 'actor_traces', 't.patterns && $2')
    ) as p (store, name, condition)
  loop
    execute format('delete from app.%I t where t.space_id = $1', part.name)
        || case when p_idx is null then '' else ' and ' || part.condition end
      using p_space, p_idx;
    get diagnostics erased = row_count;
    counts := counts || jsonb_build_object(part.store, erased);
  end loop;
  perform app.return_to_subject(subject);
  return counts;
end
$$;

-- How many patterns of a space there are (p_idx null: of all, else of these), and SHA-256 in hex of their ids, sorted byte
-- by byte and joined by line feeds.
create or replace function app.named_by_hash(p_space uuid, p_idx integer[])
returns table (patterns bigint, ids_sha256 text) language plpgsql stable as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select count(*), encode(sha256(convert_to(coalesce(string_agg(p.id, E'\n' order by p.id collate "C"), ''), 'utf8')), 'hex')
      from app.patterns p where p.space_id = p_space and (p_idx is null or p.idx = any (p_idx));
end
$$;

-- Adds counts to counts, store by store.
create or replace function app.add_counts(p_one jsonb, p_other jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(s.store, s.sum), '{}') from (
    select e.key as store, sum(e.value::bigint) as sum
      from (select * from jsonb_each_text(p_one) union all select * from jsonb_each_text(p_other)) as e
      group by e.key
  ) as s
$$;

-- Removes the archives that owners of the transaction's organization have had made of it, since they hold what is erased
-- now. One that is being made begins anew. @returns how many archives are gone
create or replace function app.revoke_exports() returns bigint language plpgsql as $$
declare
  task text := coalesce(current_setting('app.task', true), '');
  subject text := app.leave_subject();
  revoked bigint;
begin
  perform set_config('app.task', 'revoke-exports', true);
  delete from app.exports e where e.status = 'ready';
  get diagnostics revoked = row_count;
  update app.exports e set build = e.build + 1, active_at = null where e.status = 'pending' and e.active_at is not null;
  delete from app.export_parts;
  perform set_config('app.task', task, true);
  perform app.return_to_subject(subject);
  return revoked;
end
$$;
