-- What receipts of erasures count.

-- In which tables there is anything that refers to patterns of a space: one row of each is read to see it.
create or replace function app.referring_tables(p_space uuid)
returns table (
  versions boolean, passages boolean, accesses boolean, associations boolean, transitions boolean, trials boolean,
  compositions boolean, conflicts boolean
)
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query select
    exists (select from app.pattern_versions t where t.space_id = p_space),
    exists (select from app.passages t where t.space_id = p_space),
    exists (select from app.pattern_accesses t where t.space_id = p_space),
    exists (select from app.associations t where t.space_id = p_space),
    exists (select from app.transitions t where t.space_id = p_space),
    exists (select from app.pair_trials t where t.space_id = p_space),
    exists (select from app.compositions t where t.space_id = p_space),
    exists (select from app.conflicts t where t.space_id = p_space);
end
$$;

-- Where what refers to patterns of a space is, locked until the transaction ends, so that it stays there (passages are never
-- updated). Each is looked up by one number after the other, by an index whatever the caller has of them; nothing is looked
-- for in tables with nothing of the space.
create or replace function app.find_references(p_space uuid, p_idx integer[])
returns table (
  versions tid[], passages tid[], accesses tid[], associations tid[], transitions tid[], trials tid[], compositions tid[],
  conflicts tid[], traces tid[]
)
language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_indexscan = on set enable_indexonlyscan = on set enable_bitmapscan = on as $$
#variable_conflict use_column
declare
  there record;
begin
  select * into there from app.referring_tables(p_space);
  if there.versions then
    versions := array(
      select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.pattern_versions t where t.space_id = p_space and t.idx = n.idx for update offset 0) t
    );
  end if;
  if there.passages then
    passages := array(
      select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.passages t where t.space_id = p_space and t.idx = n.idx offset 0) t
    );
  end if;
  if there.accesses then
    accesses := array(
      select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.pattern_accesses t where t.space_id = p_space and t.idx = n.idx for update offset 0) t
    );
  end if;
  if there.associations then
    associations := array(
      select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.associations t where t.space_id = p_space and t.a = n.idx for update offset 0) t
      union all select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.associations t where t.space_id = p_space and t.b = n.idx for update offset 0) t
    );
  end if;
  if there.transitions then
    transitions := array(
      select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.transitions t where t.space_id = p_space and t.source = n.idx for update offset 0) t
      union all select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.transitions t where t.space_id = p_space and t.target = n.idx for update offset 0) t
    );
  end if;
  if there.trials then
    trials := array(
      select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.pair_trials t where t.space_id = p_space and t.a = n.idx for update offset 0) t
      union all select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.pair_trials t where t.space_id = p_space and t.b = n.idx for update offset 0) t
    );
  end if;
  if there.compositions then
    compositions := array(
      select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.compositions t where t.space_id = p_space and t.a = n.idx for update offset 0) t
      union all select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.compositions t where t.space_id = p_space and t.b = n.idx for update offset 0) t
    );
  end if;
  if there.conflicts then
    conflicts := array(
      select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.conflicts t where t.space_id = p_space and t.a = n.idx for update offset 0) t
      union all select t.ctid from unnest(p_idx) as n (idx) cross join lateral (
        select t.ctid from app.conflicts t where t.space_id = p_space and t.b = n.idx for update offset 0) t
    );
  end if;
  traces := array(
    select t.ctid from app.actor_traces t where t.space_id = p_space
      and exists (select from unnest(t.patterns) as u (idx) where u.idx in (select n.idx from unnest(p_idx) as n (idx)))
      for update
  );
  return next;
end
$$;

-- Removes what refers to patterns of a space and says how much that was.
--
-- By its place: joined to the numbers, all of a space would be compared with each of them where the database takes it for
-- small, as it does until there are new statistics. No index is to be used: through one, all of the space would be compared
-- with each of the places. Planned once: planning all that for each forget would take longer than what it does.
create or replace function app.erase_references(p_space uuid, p_idx integer[]) returns jsonb
language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off as $$
declare
  -- A link between patterns of two subjects goes with either.
  subject text := app.leave_subject();
  found record;
  erased bigint;
  counts jsonb := jsonb_build_object(
    'versions', 0, 'passages', 0, 'accesses', 0, 'associations', 0, 'transitions', 0, 'trials', 0, 'compositions', 0,
    'conflicts', 0, 'traces', 0);
begin
  select * into found from app.find_references(p_space, p_idx);
  if found.versions <> '{}' then
    delete from app.pattern_versions t where t.ctid = any (found.versions);
    get diagnostics erased = row_count;
    counts := counts || jsonb_build_object('versions', erased);
  end if;
  if found.passages <> '{}' then
    delete from app.passages t where t.ctid = any (found.passages);
    get diagnostics erased = row_count;
    counts := counts || jsonb_build_object('passages', erased);
  end if;
  if found.accesses <> '{}' then
    delete from app.pattern_accesses t where t.ctid = any (found.accesses);
    get diagnostics erased = row_count;
    counts := counts || jsonb_build_object('accesses', erased);
  end if;
  if found.associations <> '{}' then
    delete from app.associations t where t.ctid = any (found.associations);
    get diagnostics erased = row_count;
    counts := counts || jsonb_build_object('associations', erased);
  end if;
  if found.transitions <> '{}' then
    delete from app.transitions t where t.ctid = any (found.transitions);
    get diagnostics erased = row_count;
    counts := counts || jsonb_build_object('transitions', erased);
  end if;
  if found.trials <> '{}' then
    delete from app.pair_trials t where t.ctid = any (found.trials);
    get diagnostics erased = row_count;
    counts := counts || jsonb_build_object('trials', erased);
  end if;
  if found.compositions <> '{}' then
    delete from app.compositions t where t.ctid = any (found.compositions);
    get diagnostics erased = row_count;
    counts := counts || jsonb_build_object('compositions', erased);
  end if;
  if found.conflicts <> '{}' then
    delete from app.conflicts t where t.ctid = any (found.conflicts);
    get diagnostics erased = row_count;
    counts := counts || jsonb_build_object('conflicts', erased);
  end if;
  if found.traces <> '{}' then
    delete from app.actor_traces t where t.ctid = any (found.traces);
    get diagnostics erased = row_count;
    counts := counts || jsonb_build_object('traces', erased);
  end if;
  perform app.return_to_subject(subject);
  return counts;
end
$$;

-- Removes what refers to patterns (p_idx null: to all of the space), which are about to go, and says how much that was. In the
-- transaction that removes the patterns, whose space it has locked.
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
    p_idx := case
      when p_idx is null then
        array(select p.idx from app.patterns p where p.space_id = p_space and p.subject = app.bound_subject())
      else array(select p.idx from app.named_patterns(p_space, p_idx) p where p.subject = app.bound_subject())
    end;
  end if;
  if p_idx is not null then
    return app.erase_references(p_space, p_idx);
  end if;
  subject := app.leave_subject();
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
  perform app.return_to_subject(subject);
  return counts;
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

-- When the making of an archive began; null where a release that does not note that has made it since.
create or replace function app.begun_at(e app.exports) returns timestamptz language sql stable as $$
  select case when e.begun_build = e.build then e.begun_at end
$$;

-- Revokes the archives that owners of the transaction's organization (p_user given: this one) have had made of it, where they
-- may hold what is erased now, which has been there since p_since; and removes what the organization was told of them, which
-- leads to nothing any more. Nobody sees them from now on; their parts go later, since they may be more than one statement
-- could remove in time. One that is being made begins anew where it may hold it; of one user who is about to own it no
-- more, what waits is locked too, so that it is not begun before.
-- @returns how many archives are revoked
create or replace function app.revoke_exports_of(p_user uuid, p_since timestamptz) returns bigint language plpgsql as $$
declare
  task text := coalesce(current_setting('app.task', true), '');
  subject text := app.leave_subject();
  gone uuid[];
begin
  perform set_config('app.task', 'revoke-exports', true);
  -- Neither has anything that was stored since its making began, see `begun_at`. Those in the making come first: one that
  -- becomes ready meanwhile is waited for, and then found among the ready ones.
  update app.exports e set build = e.build + 1, active_at = null
    where e.status = 'pending' and (
      p_user is null and e.active_at is not null and coalesce(app.begun_at(e), 'infinity') >= p_since or e.user_id = p_user
    );
  with revoked as (
    update app.exports e set status = 'failed', expires_at = '-infinity'
      where e.status = 'ready' and (p_user is null or e.user_id = p_user)
        and coalesce(app.begun_at(e), e.ready_at, 'infinity') >= p_since
      returning e.id
  )
  select coalesce(array_agg(r.id), '{}') into gone from revoked r;
  if gone <> '{}' then
    delete from app.notifications n
      where n.organization_id = app.current_organization() and n.type = 'export_ready'
        and n.data ->> 'exportId' = any (gone::text[]);
  end if;
  perform set_config('app.task', task, true);
  perform app.return_to_subject(subject);
  return cardinality(gone);
end
$$;

create or replace function app.revoke_exports_of(p_user uuid) returns bigint language sql as $$
  select app.revoke_exports_of(p_user, '-infinity')
$$;

create or replace function app.revoke_exports() returns bigint language sql as $$ select app.revoke_exports_of(null) $$;
