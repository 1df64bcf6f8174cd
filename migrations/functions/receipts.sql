-- What receipts of erasures count.

-- Removes what hangs on patterns (p_idx null: on all of the space), which is about to go with them, and says how much that
-- was. In the transaction that removes the patterns, whose space it has locked.
create or replace function app.erase_beside(p_space uuid, p_idx integer[]) returns jsonb
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
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
  if p_idx is null then
    for part in
      select * from (values
        ('versions', 'pattern_versions'), ('passages', 'passages'), ('accesses', 'pattern_accesses'),
        ('associations', 'associations'), ('transitions', 'transitions'), ('trials', 'pair_trials'),
        ('compositions', 'compositions'), ('conflicts', 'conflicts'), ('traces', 'actor_traces')
      ) as p (store, name)
    loop
      execute format('delete from app.%I t where t.space_id = $1', part.name) using p_space;
      get diagnostics erased = row_count;
      counts := counts || jsonb_build_object(part.store, erased);
    end loop;
  else
    -- Planned once: planning them for each forget would take longer than what they do.
    with named as materialized (
      select * from unnest(p_idx) as n (idx) limit cardinality(p_idx)
    ), versions as (
      delete from app.pattern_versions t using named n where t.space_id = p_space and t.idx = n.idx returning 1
    ), passages as (
      delete from app.passages t using named n where t.space_id = p_space and t.idx = n.idx returning 1
    ), accesses as (
      delete from app.pattern_accesses t using named n where t.space_id = p_space and t.idx = n.idx returning 1
    ), associations as (
      delete from app.associations t using named n where t.space_id = p_space and (t.a = n.idx or t.b = n.idx) returning 1
    ), transitions as (
      delete from app.transitions t using named n
        where t.space_id = p_space and (t.source = n.idx or t.target = n.idx) returning 1
    ), trials as (
      delete from app.pair_trials t using named n where t.space_id = p_space and (t.a = n.idx or t.b = n.idx) returning 1
    ), compositions as (
      delete from app.compositions t using named n where t.space_id = p_space and (t.a = n.idx or t.b = n.idx) returning 1
    ), conflicts as (
      delete from app.conflicts t using named n where t.space_id = p_space and (t.a = n.idx or t.b = n.idx) returning 1
    ), traces as (
      delete from app.actor_traces t where t.space_id = p_space and t.patterns && p_idx returning 1
    )
    select jsonb_build_object(
        'versions', (select count(*) from versions), 'passages', (select count(*) from passages),
        'accesses', (select count(*) from accesses), 'associations', (select count(*) from associations),
        'transitions', (select count(*) from transitions), 'trials', (select count(*) from trials),
        'compositions', (select count(*) from compositions), 'conflicts', (select count(*) from conflicts),
        'traces', (select count(*) from traces))
      into counts;
  end if;
  perform app.return_to_subject(subject);
  return counts;
end
$$;

-- How many patterns of a space there are (p_idx null: of all, else of these), and SHA-256 in hex of their ids, sorted byte
-- by byte and joined by line feeds.
create or replace function app.named_by_hash(p_space uuid, p_idx integer[])
returns table (patterns bigint, ids_sha256 text) language plpgsql stable as $$
declare
  ids text[];
begin
  perform set_config('app.space_id', p_space::text, true);
  if p_idx is null then
    ids := array(select p.id from app.patterns p where p.space_id = p_space);
  else
    ids := array(select p.id from app.named_patterns(p_space, p_idx) p);
  end if;
  return query
    select count(*), encode(sha256(convert_to(coalesce(string_agg(n.id, E'\n' order by n.id collate "C"), ''), 'utf8')), 'hex')
      from unnest(ids) as n (id);
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
