-- What a space learns from being used: its engine's state, how its patterns are linked by use, and what each actor did
-- last. Several processes write it: additions add up in any order, and the rest changes under the lock of the space.

alter table app.spaces
  -- Raised by every commit that changes what the space has learned.
  add column engine_version bigint not null default 0;

-- Statistics of surprise, signal, regime, weights of heads and records of pathways. Document of the engine, which alone
-- reads and changes it, whole and under the space's lock.
create table app.space_states (
  space_id uuid primary key references app.spaces on delete cascade,
  state    jsonb not null
);
alter table app.space_states enable row level security, force row level security;
create policy tenant on app.space_states
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update on app.space_states to memory_app;

-- The last observations of a space, of which a thousand are kept: those of about a second in one row, whose n counts
-- the observations up to its last. A row for each took most of the time of learning.
create table app.signal_history (
  space_id uuid not null references app.spaces on delete cascade,
  n        bigint not null,
  records  jsonb not null check (jsonb_typeof(records) = 'array'),
  primary key (space_id, n)
);
alter table app.signal_history enable row level security, force row level security;
create policy tenant on app.signal_history
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, delete on app.signal_history to memory_app;

-- Since when patterns have been stored: those from first_idx to the next row's were stored from then on.
create table app.store_times (
  space_id  uuid not null references app.spaces on delete cascade,
  first_idx integer not null,
  stored_at timestamptz not null,
  primary key (space_id, first_idx)
);
alter table app.store_times enable row level security, force row level security;
create policy tenant on app.store_times
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, delete on app.store_times to memory_app;

-- Patterns that answers held together, or that one actor used shortly after each other. Weights are those of `at`.
create table app.associations (
  space_id       uuid not null,
  a              integer not null,
  b              integer not null check (a < b),
  weight         double precision not null check (weight >= 0 and weight <= 1),
  at             timestamptz not null,
  engine_version bigint not null,
  primary key (space_id, a, b),
  foreign key (space_id, a) references app.patterns on delete cascade,
  foreign key (space_id, b) references app.patterns on delete cascade
) with (fillfactor = 80);
create index associations_by_b on app.associations (space_id, b);
create index associations_by_version on app.associations (space_id, engine_version);
alter table app.associations enable row level security, force row level security;
create policy tenant on app.associations
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update, delete on app.associations to memory_app;

-- How often one pattern was an actor's top hit right after another. Counts are those of `at`.
create table app.transitions (
  space_id       uuid not null,
  source         integer not null,
  target         integer not null,
  count          double precision not null check (count >= 0),
  at             timestamptz not null,
  engine_version bigint not null,
  primary key (space_id, source, target),
  foreign key (space_id, source) references app.patterns on delete cascade,
  foreign key (space_id, target) references app.patterns on delete cascade
) with (fillfactor = 80);
create index transitions_by_target on app.transitions (space_id, target);
create index transitions_by_version on app.transitions (space_id, engine_version);
alter table app.transitions enable row level security, force row level security;
create policy tenant on app.transitions
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update, delete on app.transitions to memory_app;

-- How strong a pattern is, in [0, 1]: a number beside its accesses, because what is never accessed keeps the start's.
alter table app.pattern_accesses
  add column strength double precision not null default 0.5 check (strength between 0 and 1),
  add column engine_version bigint not null default 0;
create index pattern_accesses_by_version on app.pattern_accesses (space_id, engine_version);
alter table app.patterns drop column strength;

-- What an actor did last, for half an hour. An actor is a hash; patterns are those that the trace mentions.
create table app.actor_traces (
  space_id uuid not null references app.spaces on delete cascade,
  actor    bytea not null,
  trace    jsonb not null,
  patterns integer[] not null,
  at       timestamptz not null,
  primary key (space_id, actor)
);
create index actor_traces_by_age on app.actor_traces (at);
alter table app.actor_traces enable row level security, force row level security;
create policy tenant on app.actor_traces
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy purge_traces on app.actor_traces
  using (app.current_task() = 'purge-traces') with check (app.current_task() = 'purge-traces');
grant select, insert, update, delete on app.actor_traces to memory_app;

-- A trace that mentions a pattern goes with it.
create function app.forget_traces() returns trigger language plpgsql as $$
begin
  delete from app.actor_traces t
    using (select space_id, array_agg(idx) as idxs from gone group by space_id) as g
    where t.space_id = g.space_id and t.patterns && g.idxs;
  return null;
end
$$;
create trigger pattern_forgotten after delete on app.patterns referencing old table as gone
  for each statement execute function app.forget_traces();

-- Begins to learn: locks the space against whoever else learns, stores or forgets, and gives what learning starts from,
-- and which of the patterns that were used are still there. No state before the first time.
create function app.begin_learning(p_space uuid, p_actors bytea[], p_idx integer[])
returns table (organization_id uuid, created_at timestamptz, state jsonb, traces jsonb, alive integer[])
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  -- Of the organization is the event that tells of a new regime.
  perform set_config('app.organization_id', s.organization_id::text, true)
    from app.spaces s where s.id = p_space for no key update of s;
  return query
    select s.organization_id, s.created_at, e.state,
           coalesce((
             select jsonb_object_agg(encode(t.actor, 'hex'), t.trace)
               from app.actor_traces t where t.space_id = p_space and t.actor = any (p_actors)
           ), '{}'),
           array(select p.idx from app.patterns p where p.space_id = p_space and p.idx = any (p_idx))
      from app.spaces s left join app.space_states e on e.space_id = s.id where s.id = p_space;
end
$$;

-- Writes the state and its last observations. @returns the space's new engine version
create function app.save_state(p_space uuid, p_state jsonb, p_records jsonb) returns bigint
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  new_version bigint;
  last_n bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  update app.spaces s set engine_version = s.engine_version + 1 where s.id = p_space
    returning s.engine_version into new_version;
  insert into app.space_states as e (space_id, state) values (p_space, p_state)
    on conflict (space_id) do update set state = excluded.state;
  if jsonb_array_length(p_records) > 0 then
    select coalesce(max(h.n), 0) + jsonb_array_length(p_records) into last_n
      from app.signal_history h where h.space_id = p_space;
    insert into app.signal_history (space_id, n, records) values (p_space, last_n, p_records);
    delete from app.signal_history h where h.space_id = p_space and h.n <= last_n - 1000;
  end if;
  return new_version;
end
$$;

-- Rows that hold the last p_count observations, oldest first; the first of them may hold some before these.
create function app.last_signals(p_space uuid, p_count integer) returns setof jsonb
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select h.records from app.signal_history h
      where h.space_id = p_space and h.n > (
        select max(l.n) from app.signal_history l where l.space_id = p_space
      ) - p_count
      order by h.n;
end
$$;

-- Adds what uses have taught, within the transaction that `begin_learning` began, of patterns that are there:
-- associations w -> 1 - (1 - w) k, where k is p_kept, transitions + p_counts, strengths s -> p_slopes s + p_offsets, each
-- after it has faded since it was written. What a pattern has beyond its p_degree strongest associations, and as many
-- transitions from it, is dropped, and what has faded below p_least. Traces are replaced.
create function app.learn(
  p_space uuid, p_version bigint, p_at timestamptz, p_half_life_s double precision, p_least double precision,
  p_degree integer,
  p_a integer[], p_b integer[], p_kept double precision[],
  p_sources integer[], p_targets integer[], p_counts double precision[],
  p_idx integer[], p_slopes double precision[], p_offsets double precision[], p_access_half_life_s double precision,
  p_traces jsonb
)
returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  if cardinality(p_a) > 0 then
    insert into app.associations as w (space_id, a, b, weight, at, engine_version)
      select p_space, n.a, n.b, 1 - n.kept, p_at, p_version
        from unnest(p_a, p_b, p_kept) as n (a, b, kept)
      on conflict (space_id, a, b) do update set
        weight = 1 - (1 - w.weight * app.decay(w.at, excluded.at, p_half_life_s)) * (1 - excluded.weight),
        at = greatest(w.at, excluded.at), engine_version = excluded.engine_version;
    with ends as materialized (
      select distinct u as idx from unnest(p_a || p_b) as u
    ), links as materialized (
      select w.a, w.b, e.idx as one, w.weight * app.decay(w.at, p_at, p_half_life_s) as faded
        from ends e join app.associations w on w.space_id = p_space and w.a = e.idx
      union all
      select w.a, w.b, e.idx, w.weight * app.decay(w.at, p_at, p_half_life_s)
        from ends e join app.associations w on w.space_id = p_space and w.b = e.idx
    ), ranked as (
      select l.a, l.b, l.faded, row_number() over (partition by l.one order by l.faded desc, l.a, l.b) as rank
        from links l
    )
    delete from app.associations w using ranked r
      where (r.rank > p_degree or r.faded < p_least) and w.space_id = p_space and w.a = r.a and w.b = r.b;
  end if;
  if cardinality(p_sources) > 0 then
    insert into app.transitions as t (space_id, source, target, count, at, engine_version)
      select p_space, n.source, n.target, n.count, p_at, p_version
        from unnest(p_sources, p_targets, p_counts) as n (source, target, count)
      on conflict (space_id, source, target) do update set
        count = t.count * app.decay(t.at, excluded.at, p_half_life_s) + excluded.count,
        at = greatest(t.at, excluded.at), engine_version = excluded.engine_version;
    with starts as materialized (
      select distinct u as idx from unnest(p_sources) as u
    ), steps as materialized (
      select t.source, t.target, t.count * app.decay(t.at, p_at, p_half_life_s) as faded
        from starts s join app.transitions t on t.space_id = p_space and t.source = s.idx
    ), ranked as (
      select s.source, s.target, s.faded,
             row_number() over (partition by s.source order by s.faded desc, s.target) as rank
        from steps s
    )
    delete from app.transitions t using ranked r
      where (r.rank > p_degree or r.faded < p_least)
        and t.space_id = p_space and t.source = r.source and t.target = r.target;
  end if;
  -- One that has been in no answer, or in one that is not counted yet.
  insert into app.pattern_accesses (space_id, idx, access_count, last_accessed, access_score, scored_at)
    select p_space, p.idx, 0, p_at, app.decay(p.created_at, p_at, p_access_half_life_s), p_at
      from app.patterns p where p.space_id = p_space and p.idx = any (p_idx)
    on conflict (space_id, idx) do nothing;
  update app.pattern_accesses x
    set strength = least(1, greatest(0, n.slope * x.strength + n.shift)), engine_version = p_version
    from unnest(p_idx, p_slopes, p_offsets) as n (idx, slope, shift)
    where x.space_id = p_space and x.idx = n.idx;
  insert into app.actor_traces as t (space_id, actor, trace, patterns, at)
    select p_space, decode(n.key, 'hex'), n.value -> 'trace',
           array(select e::integer from jsonb_array_elements_text(n.value -> 'patterns') as e), p_at
      from jsonb_each(p_traces) as n
    on conflict (space_id, actor) do update set
      trace = excluded.trace, patterns = excluded.patterns, at = excluded.at;
end
$$;

-- What a space has learned after an engine version, as one document: state, store times of patterns after an idx, uses of
-- patterns, and of every pattern with a changed link all its links of that kind.
create function app.learned_since(p_space uuid, p_since bigint, p_stored_after integer)
returns table (engine_version bigint, created_at timestamptz, end_idx integer, learned json)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select s.engine_version, s.created_at, s.next_idx,
      json_build_object(
        'state', (select e.state from app.space_states e where e.space_id = p_space),
        'stored', (
          select coalesce(json_agg(json_build_array(
            t.first_idx, (extract(epoch from t.stored_at) * 1000)::bigint) order by t.first_idx), '[]')
            from app.store_times t where t.space_id = p_space and t.first_idx > p_stored_after
        ),
        'uses', (
          select coalesce(json_agg(json_build_array(
            x.idx, x.access_count, (extract(epoch from x.last_accessed) * 1000)::bigint, x.strength)), '[]')
            from app.pattern_accesses x where x.space_id = p_space and x.engine_version > p_since
        ),
        'associations', (
          with changed as (
            select w.a as idx from app.associations w where w.space_id = p_space and w.engine_version > p_since
            union
            select w.b from app.associations w where w.space_id = p_space and w.engine_version > p_since
          )
          select coalesce(json_agg(json_build_array(
            c.idx, l.other, l.weight, (extract(epoch from l.at) * 1000)::bigint)), '[]')
            from changed c
            cross join lateral (
              select w.b as other, w.weight, w.at from app.associations w where w.space_id = p_space and w.a = c.idx
              union all
              select w.a, w.weight, w.at from app.associations w where w.space_id = p_space and w.b = c.idx
            ) as l
        ),
        'transitions', (
          with changed as (
            select distinct t.source from app.transitions t where t.space_id = p_space and t.engine_version > p_since
          )
          select coalesce(json_agg(json_build_array(
            t.source, t.target, t.count, (extract(epoch from t.at) * 1000)::bigint)), '[]')
            from changed c
            join app.transitions t on t.space_id = p_space and t.source = c.source
        )
      )
      from app.spaces s where s.id = p_space;
end
$$;

-- What is learned of the patterns from p_from up to, not with, p_to: their uses, the associations of which each is `a`,
-- and the transitions from it. What changes meanwhile has a later engine version.
create function app.learned_page(p_space uuid, p_from integer, p_to integer) returns json
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return json_build_object(
    'uses', (
      select coalesce(json_agg(json_build_array(
        x.idx, x.access_count, (extract(epoch from x.last_accessed) * 1000)::bigint, x.strength)), '[]')
        from app.pattern_accesses x where x.space_id = p_space and x.idx >= p_from and x.idx < p_to
    ),
    'associations', (
      select coalesce(json_agg(json_build_array(
        w.a, w.b, w.weight, (extract(epoch from w.at) * 1000)::bigint)), '[]')
        from app.associations w where w.space_id = p_space and w.a >= p_from and w.a < p_to
    ),
    'transitions', (
      select coalesce(json_agg(json_build_array(
        t.source, t.target, t.count, (extract(epoch from t.at) * 1000)::bigint)), '[]')
        from app.transitions t where t.space_id = p_space and t.source >= p_from and t.source < p_to
    )
  );
end
$$;

-- Texts for the lexical index, in idx order.
create function app.load_texts(p_space uuid, p_after_idx integer, p_count integer)
returns table (idx integer, text text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.text from app.patterns p
    where p.space_id = p_space and p.idx > p_after_idx and p.text is not null
      and (p.expires_at is null or p.expires_at > now())
    order by p.idx limit p_count;
end
$$;

-- What of the texts changed after a version: stored or changed ones, and (text null) what is gone or is no text; one row
-- with idx null when nothing did.
create function app.changed_texts(p_space uuid, p_since bigint)
returns table (version bigint, history_floor bigint, idx integer, text text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select s.version, s.history_floor, c.idx, c.text
      from app.spaces s
      left join (
        select p.idx, p.text from app.patterns p where p.space_id = p_space and p.version > p_since
        union all
        select t.idx, null from app.pattern_tombstones t where t.space_id = p_space and t.version > p_since
      ) as c on true
      where s.id = p_space;
end
$$;

-- Authentication also tells which engine version the space has.
drop function app.authenticate_api_key(bytea, text, integer);
create function app.authenticate_api_key(p_key_hash bytea, p_scope text, p_queries integer)
returns table (
  outcome text, key_id uuid, organization_id uuid, space_id uuid, environment text,
  scopes text[], space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  k app.api_keys;
  queries_limit bigint;
begin
  perform set_config('app.key_hash', encode(p_key_hash, 'hex'), true);
  select * into k from app.api_keys a
    where a.key_hash = p_key_hash and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if not found then
    outcome := 'unknown_key';
    return next;
    return;
  end if;
  perform set_config('app.organization_id', k.organization_id::text, true);
  select s.id, s.version, s.engine_version, p.patterns, p.queries_per_day
    into space_id, space_version, engine_version, patterns_limit, queries_limit
    from app.spaces s
    join app.organizations o on o.id = s.organization_id
    join app.plans p on p.name = case s.environment when 'test' then 'free' else o.plan end
    where s.organization_id = k.organization_id and s.environment = k.environment and o.deleted_at is null;
  if not found then
    outcome := 'unknown_key';
    return next;
    return;
  end if;
  key_id := k.id;
  organization_id := k.organization_id;
  environment := k.environment;
  scopes := k.scopes;
  queries_counted := 0;
  if p_scope is not null and k.scopes is not null and not p_scope = any (k.scopes) then
    outcome := 'missing_scope';
  elsif p_queries = 0 or queries_limit < 0 then
    outcome := 'ok';
  elsif app.count_queries(space_id, p_queries, queries_limit) then
    outcome := 'ok';
    queries_counted := p_queries;
  else
    outcome := 'queries_exhausted';
  end if;
  return next;
end
$$;

drop function app.authenticate_session(uuid, uuid, text, uuid, text, integer);
create function app.authenticate_session(
  p_user uuid, p_session uuid, p_kid text, p_organization uuid, p_environment text, p_queries integer
)
returns table (
  outcome text, email text, email_verified boolean, is_platform_admin boolean, organization_id uuid, role text, space_id uuid,
  space_version bigint, engine_version bigint, patterns_limit bigint, queries_counted integer
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  organization_plan text;
  queries_limit bigint;
begin
  perform set_config('app.user_id', p_user::text, true), set_config('app.kid', p_kid, true);
  queries_counted := 0;
  select u.email, u.email_verified_at is not null, u.is_platform_admin into email, email_verified, is_platform_admin
    from app.users u
    join app.sessions s on s.user_id = u.id
    join app.signing_keys k on k.kid = p_kid
    where u.id = p_user and u.status = 'active'
      and s.id = p_session and s.revoked_at is null and s.expires_at > now()
      and (k.retired_at is null or k.retired_at > now());
  if not found then
    outcome := 'token_revoked';
    return next;
    return;
  end if;
  select m.organization_id, m.role, o.plan into organization_id, role, organization_plan
    from app.memberships m
    join app.organizations o on o.id = m.organization_id
    where m.user_id = p_user and (p_organization is null or m.organization_id = p_organization)
      and o.deleted_at is null
    order by m.joined_at, m.organization_id
    limit 1;
  if not found then
    outcome := 'organization_not_found';
    return next;
    return;
  end if;
  perform set_config('app.organization_id', organization_id::text, true);
  select s.id, s.version, s.engine_version, p.patterns, p.queries_per_day
    into space_id, space_version, engine_version, patterns_limit, queries_limit
    from app.spaces s
    join app.plans p on p.name = case p_environment when 'test' then 'free' else organization_plan end
    where s.organization_id = app.current_organization() and s.environment = p_environment;
  if p_queries = 0 or queries_limit < 0 then
    outcome := 'ok';
  elsif app.count_queries(space_id, p_queries, queries_limit) then
    outcome := 'ok';
    queries_counted := p_queries;
  else
    outcome := 'queries_exhausted';
  end if;
  return next;
end
$$;

-- Stores as before, and notes since when.
create or replace function app.insert_patterns(
  p_space uuid, p_limit bigint, p_ids text[], p_texts text[], p_metadata text[], p_keys vector[], p_values vector[],
  p_source_dims integer[], p_text_hashes text[], p_model text, p_categories text[], p_protected boolean[],
  p_expires_at timestamptz[], p_occurred_at timestamptz[]
)
returns table (stored integer, first_idx integer, version bigint, patterns_used bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  added_bytes bigint;
  added_texts bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.next_idx, s.version + 1, s.patterns_used into first_idx, version, patterns_used
    from app.spaces s where s.id = p_space for update;
  stored := cardinality(p_ids);
  if p_limit >= 0 then
    stored := greatest(0, least(stored, p_limit - patterns_used))::integer;
  end if;
  if stored > 0 then
    with added as (
      insert into app.patterns (
        space_id, idx, id, text, metadata, key, value, source_dim, text_hash, model, category, protected,
        version, expires_at, occurred_at
      )
      select p_space, first_idx + r.n::integer - 1, r.id, r.text, r.metadata::jsonb, r.key, r.value, r.source_dim,
             decode(r.text_hash, 'hex'), case when r.text is not null then p_model end,
             r.category, r.protected, version, r.expires_at, coalesce(r.occurred_at, now())
        from unnest(
          p_ids, p_texts, p_metadata, p_keys, p_values, p_source_dims, p_text_hashes, p_categories, p_protected,
          p_expires_at, p_occurred_at
        ) with ordinality as r (
          id, text, metadata, key, value, source_dim, text_hash, category, protected, expires_at, occurred_at, n
        )
        where r.n <= stored
      returning bytes, text
    )
    select sum(bytes), count(text) into added_bytes, added_texts from added;
    update app.spaces s
      set version = insert_patterns.version, next_idx = s.next_idx + stored,
          patterns_used = s.patterns_used + stored, text_patterns = s.text_patterns + added_texts,
          storage_bytes = s.storage_bytes + added_bytes
      where s.id = p_space
      returning s.patterns_used into patterns_used;
    -- To the minute: a space that is written all day has 1,440 of these, and one that was imported a few.
    insert into app.store_times as t (space_id, first_idx, stored_at)
      select p_space, first_idx, now() where not exists (
        select from (
          select l.stored_at from app.store_times l where l.space_id = p_space order by l.first_idx desc limit 1
        ) as last where last.stored_at > now() - interval '1 minute'
      );
  end if;
  return next;
end
$$;

-- Removes every pattern of the space. No tombstones: other copies of the space start anew.
create or replace function app.empty_space(p_space uuid) returns table (deleted bigint, version bigint)
language plpgsql as $$
#variable_conflict use_column
begin
  perform set_config('app.space_id', p_space::text, true);
  update app.spaces s
    set version = s.version + 1, history_floor = s.version + 1, patterns_used = 0, text_patterns = 0,
        storage_bytes = 0
    where s.id = p_space returning s.version into version;
  delete from app.patterns p where p.space_id = p_space;
  get diagnostics deleted = row_count;
  delete from app.pattern_tombstones t where t.space_id = p_space;
  delete from app.store_times t where t.space_id = p_space;
  delete from app.actor_traces t where t.space_id = p_space;
  return next;
end
$$;

-- Counts accesses as before. Learning writes the same rows, in another order: the lock that it and whoever stores or
-- forgets take of the space's row keeps counting out until they are done, and counting keeps them out, though not other
-- counting; otherwise each could wait for the other.
create or replace function app.record_accesses(
  p_space uuid, p_idx integer[], p_counts integer[], p_at timestamptz, p_half_life_s double precision default 604800
)
returns table (idx integer, tier text, protected boolean, access_score double precision, scored_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform set_config('app.space_id', p_space::text, true);
  perform from app.spaces s where s.id = p_space for share;
  -- Erased since: what was counted of it is nobody's.
  if not found then
    return;
  end if;
  return query
    select p.idx, p.tier, p.protected, coalesce(x.access_score, 1), coalesce(x.scored_at, p.created_at)
      from app.patterns p
      left join app.pattern_accesses x on x.space_id = p.space_id and x.idx = p.idx
      where p.space_id = p_space and p.idx = any (p_idx) and p.tier <> 'hot';
  insert into app.pattern_accesses as x (space_id, idx, access_count, last_accessed, access_score, scored_at)
    select p_space, a.idx, a.n, p_at, app.decay(p.created_at, p_at, p_half_life_s) + a.n, p_at
      from unnest(p_idx, p_counts) as a (idx, n)
      join app.patterns p on p.space_id = p_space and p.idx = a.idx
      order by a.idx
    on conflict (space_id, idx) do update set
      access_count = x.access_count + excluded.access_count,
      last_accessed = greatest(x.last_accessed, excluded.last_accessed),
      access_score = x.access_score * app.decay(x.scored_at, excluded.scored_at, p_half_life_s)
        + excluded.access_count,
      scored_at = greatest(x.scored_at, excluded.scored_at);
  insert into app.tier_counters as t (space_id, hot_hits, warm_hits, cold_hits)
    select p_space, coalesce(sum(a.n) filter (where p.tier = 'hot'), 0),
           coalesce(sum(a.n) filter (where p.tier = 'warm'), 0),
           coalesce(sum(a.n) filter (where p.tier = 'cold'), 0)
      from unnest(p_idx, p_counts) as a (idx, n)
      join app.patterns p on p.space_id = p_space and p.idx = a.idx
    on conflict (space_id) do update set
      hot_hits = t.hot_hits + excluded.hot_hits, warm_hits = t.warm_hits + excluded.warm_hits,
      cold_hits = t.cold_hits + excluded.cold_hits;
end
$$;
