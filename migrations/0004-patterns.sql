-- Patterns: text facts and key/value vectors of one space, and the statements that read and change them.
create table app.patterns (
  space_id         uuid not null references app.spaces,
  idx              integer not null check (idx >= 0),
  id               text not null,
  text             text,
  metadata         jsonb,
  key              vector not null,
  -- Null when it equals the key, as for every text pattern.
  value            vector,
  source_dim       integer,
  key_hash         bytea not null generated always as (substr(sha256(vector_send(key)), 1, 16)) stored,
  text_hash        bytea,
  model            text,
  category         text,
  protected        boolean not null default false,
  strength         real not null default 0.5 check (strength between 0 and 1),
  tier             text not null default 'hot' check (tier in ('hot', 'warm', 'cold')),
  version          bigint not null,
  expires_at       timestamptz,
  occurred_at      timestamptz not null default now(),
  created_at       timestamptz not null default now(),
  -- What the row's contents take: text, metadata and vectors.
  bytes            integer not null generated always as (
    coalesce(octet_length(text), 0) + coalesce(octet_length(metadata::text), 0)
    + 8 + 4 * vector_dims(key) + coalesce(8 + 4 * vector_dims(value), 0)
  ) stored,
  primary key (space_id, idx),
  unique (space_id, id)
);
create index patterns_by_version on app.patterns (space_id, version);
create index patterns_by_text on app.patterns (space_id, text_hash) where text_hash is not null;
create index patterns_by_key on app.patterns (space_id, key_hash);
create index patterns_by_category on app.patterns (space_id, category) where category is not null;
create index patterns_by_expiry on app.patterns (expires_at) where expires_at is not null;
alter table app.patterns enable row level security, force row level security;
create policy tenant on app.patterns
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy expired on app.patterns for select
  using (app.current_task() = 'erase-expired-patterns' and expires_at <= now());
grant select, insert, update, delete on app.patterns to memory_app;

-- How patterns are used; a pattern that was in no answer yet has no row. Apart from the patterns, whose rows with
-- their vectors and seven indexes cost fifteen times as much to write, and answers touch many patterns a second.
create table app.pattern_accesses (
  space_id      uuid not null,
  idx           integer not null,
  access_count  bigint not null,
  last_accessed timestamptz not null,
  -- Sum over accesses and the store itself of 2 ^ (-age / 7 days), as it was at scored_at.
  access_score  double precision not null,
  scored_at     timestamptz not null,
  primary key (space_id, idx),
  foreign key (space_id, idx) references app.patterns on delete cascade
) with (fillfactor = 70);
alter table app.pattern_accesses enable row level security, force row level security;
create policy tenant on app.pattern_accesses
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update on app.pattern_accesses to memory_app;

-- What a delete leaves for an hour, so that other processes drop the row: no content.
create table app.pattern_tombstones (
  space_id   uuid not null references app.spaces,
  version    bigint not null,
  idx        integer not null,
  deleted_at timestamptz not null default now(),
  primary key (space_id, version, idx)
);
create index pattern_tombstones_by_age on app.pattern_tombstones (deleted_at);
alter table app.pattern_tombstones enable row level security, force row level security;
create policy tenant on app.pattern_tombstones
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy purge_tombstones on app.pattern_tombstones
  using (app.current_task() = 'purge-tombstones') with check (app.current_task() = 'purge-tombstones');
grant select, insert, delete on app.pattern_tombstones to memory_app;

-- Stores as many of the rows as p_limit (-1: no limit) leaves room for, in their order. The space's row is
-- locked until the commit, so versions and indexes are given in commit order.
create function app.insert_patterns(
  p_space uuid, p_limit bigint, p_ids text[], p_texts text[], p_metadata text[], p_keys text[], p_values text[],
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
      select p_space, first_idx + r.n::integer - 1, r.id, r.text, r.metadata::jsonb, r.key::vector, r.value::vector,
             r.source_dim, decode(r.text_hash, 'hex'), case when r.text is not null then p_model end,
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
  end if;
  return next;
end
$$;

-- The SQL condition that a metadata filter stands for: every key has an equal value, and a list means any of its
-- values. As text with literals, so that it is read once a statement and a long list is looked up in a hash table;
-- a function called for each row took fifty times as long.
create function app.filter_condition(p_filter jsonb) returns text language sql immutable parallel safe
return (
  select coalesce(string_agg(
    case jsonb_typeof(f.value)
      when 'array' then format(
        '(p.metadata -> %L) = any (%L::jsonb[])',
        f.key, (select coalesce(array_agg(v.value), '{}') from jsonb_array_elements(f.value) as v)
      )
      else format('(p.metadata -> %L) = %L::jsonb', f.key, f.value)
    end,
    ' and '
  ), 'true')
  from jsonb_each(p_filter) as f
);

-- Indexes of the unexpired patterns that match the metadata filter.
create function app.filter_patterns(p_space uuid, p_filter jsonb, p_text_only boolean) returns integer[]
language plpgsql as $$
declare
  matching integer[];
begin
  perform set_config('app.space_id', p_space::text, true);
  execute format(
    $query$
      select coalesce(array_agg(p.idx), '{}') from app.patterns p
      where p.space_id = $1 and (not $2 or p.text is not null)
        and (p.expires_at is null or p.expires_at > now()) and %s
    $query$,
    app.filter_condition(p_filter)
  ) into matching using p_space, p_text_only;
  return matching;
end
$$;

-- Contents of the patterns with these indexes; those deleted or expired meanwhile are left out.
create function app.find_patterns(p_space uuid, p_idx integer[])
returns table (idx integer, id text, text text, metadata jsonb, version bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.id, p.text, p.metadata, p.version from app.patterns p
    where p.space_id = p_space and p.idx = any (p_idx) and (p.expires_at is null or p.expires_at > now());
end
$$;

-- Rows for the resident index, in idx order: the vector as pgvector's binary form.
create function app.load_patterns(p_space uuid, p_after_idx integer, p_count integer)
returns table (idx integer, key bytea, is_text boolean, expires_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, vector_send(p.key), p.text is not null, p.expires_at from app.patterns p
    where p.space_id = p_space and p.idx > p_after_idx order by p.idx limit p_count;
end
$$;

-- Text patterns of a space, and the bytes that all its rows and vectors take.
create function app.text_statistics(p_space uuid) returns table (text_patterns integer, storage_bytes bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select
      (s.text_patterns - (
        -- Expired and not erased yet: at most a minute's worth.
        select count(*) from app.patterns p
          where p.space_id = p_space and p.text is not null and p.expires_at <= now()
      ))::integer,
      s.storage_bytes
    from app.spaces s where s.id = p_space;
end
$$;

-- Version of a space.
create function app.space_version(p_space uuid) returns bigint
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return (select s.version from app.spaces s where s.id = p_space);
end
$$;

-- What changed after a version: rows stored or updated, and (key null) rows deleted; one row with idx null when
-- nothing did. One statement, so that the space's version and floor are of the same moment as the changes.
create function app.changed_patterns(p_space uuid, p_since bigint)
returns table (
  version bigint, history_floor bigint, idx integer, key bytea, is_text boolean, expires_at timestamptz
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select s.version, s.history_floor, c.idx, c.key, c.is_text, c.expires_at
      from app.spaces s
      left join (
        select p.idx, vector_send(p.key) as key, p.text is not null as is_text, p.expires_at
          from app.patterns p where p.space_id = p_space and p.version > p_since
        union all
        select t.idx, null, null, null
          from app.pattern_tombstones t where t.space_id = p_space and t.version > p_since
      ) as c on true
      where s.id = p_space;
end
$$;

-- Removes the patterns that meet every condition given (null: not given); p_dry_run only finds them. A query is
-- p_idx, what a search of the space at p_seen found, and the patterns with the text of p_same_text; a pattern stored
-- or changed since then is judged anew by its distance from p_query. What has expired goes too, unmentioned.
create function app.delete_patterns(
  p_space uuid, p_idx integer[], p_seen bigint, p_query text, p_threshold double precision, p_same_text text,
  p_category text, p_filter jsonb, p_text_only boolean, p_dry_run boolean
)
returns table (idx integer, id text, version bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  conditions text := 'p.space_id = $1';
  doomed integer[];
  freed bigint;
  freed_texts bigint;
  new_version bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  if not p_dry_run then
    perform from app.spaces s where s.id = p_space for update;
  end if;
  if p_query is not null then
    conditions := conditions || $and$
      and (p.text_hash = decode($5, 'hex') or case
        when p.version <= $2 then p.idx = any ($3)
        when vector_dims(p.key) = vector_dims($4::vector) then 1 - (p.key <=> $4::vector) >= $6
        else false
      end)$and$;
  elsif p_idx is not null then
    conditions := conditions || ' and p.idx = any ($3)';
  end if;
  if p_category is not null then
    conditions := conditions || ' and p.category = $7';
  end if;
  if p_filter is not null then
    conditions := conditions || ' and ' || app.filter_condition(p_filter);
  end if;
  if p_text_only then
    conditions := conditions || ' and p.text is not null';
  end if;
  if p_dry_run then
    conditions := conditions || ' and (p.expires_at is null or p.expires_at > now())';
  end if;
  execute
    $select$select coalesce(array_agg(p.idx), '{}'), coalesce(sum(p.bytes), 0), count(p.text)
      from app.patterns p where $select$ || conditions
    into doomed, freed, freed_texts
    using p_space, p_seen, p_idx, p_query, p_same_text, p_threshold, p_category;
  if p_dry_run then
    return query select p.idx, p.id, null::bigint from app.patterns p
      where p.space_id = p_space and p.idx = any (doomed) order by p.idx;
    return;
  end if;
  if cardinality(doomed) = 0 then
    return;
  end if;
  update app.spaces s
    set version = s.version + 1, patterns_used = s.patterns_used - cardinality(doomed),
        text_patterns = s.text_patterns - freed_texts, storage_bytes = s.storage_bytes - freed
    where s.id = p_space returning s.version into new_version;
  insert into app.pattern_tombstones (space_id, version, idx)
    select p_space, new_version, d from unnest(doomed) d;
  return query
    with gone as (
      delete from app.patterns p where p.space_id = p_space and p.idx = any (doomed)
      returning p.idx, p.id, p.expires_at
    )
    select g.idx, g.id, new_version from gone g
      where g.expires_at is null or g.expires_at > now() order by g.idx;
end
$$;

-- Removes every pattern of the space. No tombstones: other copies of the space start anew.
create function app.empty_space(p_space uuid) returns table (deleted bigint, version bigint)
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
  return next;
end
$$;

-- Changes a text pattern. Null arguments keep what is there; p_set_metadata tells a null from nothing given.
create function app.update_pattern(
  p_space uuid, p_id text, p_text text, p_key text, p_text_hash text, p_model text,
  p_set_metadata boolean, p_metadata text, p_category text, p_protected boolean
)
returns table (idx integer, version bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  old_bytes integer;
  new_bytes integer;
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.version + 1 into version from app.spaces s where s.id = p_space for update;
  select p.bytes into old_bytes from app.patterns p
    where p.space_id = p_space and p.id = p_id and (p.expires_at is null or p.expires_at > now());
  if not found then
    return;
  end if;
  update app.patterns p set
      text = coalesce(p_text, p.text), key = coalesce(p_key::vector, p.key),
      text_hash = coalesce(decode(p_text_hash, 'hex'), p.text_hash), model = coalesce(p_model, p.model),
      metadata = case when p_set_metadata then p_metadata::jsonb else p.metadata end,
      category = case when p_set_metadata then p_category else p.category end,
      protected = case when p_set_metadata then p_protected else p.protected end,
      version = update_pattern.version
    where p.space_id = p_space and p.id = p_id
    returning p.idx, p.bytes into idx, new_bytes;
  update app.spaces s set version = update_pattern.version, storage_bytes = s.storage_bytes - old_bytes + new_bytes
    where s.id = p_space;
  return next;
end
$$;

-- Adds what a second of answers gathered for one space: how often each pattern was in an answer.
create function app.record_accesses(p_space uuid, p_idx integer[], p_counts integer[], p_at timestamptz)
returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  insert into app.pattern_accesses as x (space_id, idx, access_count, last_accessed, access_score, scored_at)
    select p_space, a.idx, a.n, p_at,
           2 ^ (-greatest(0, extract(epoch from p_at - p.created_at)) / (7 * 86400)) + a.n, p_at
      from unnest(p_idx, p_counts) as a (idx, n)
      join app.patterns p on p.space_id = p_space and p.idx = a.idx
      order by a.idx
    on conflict (space_id, idx) do update set
      access_count = x.access_count + excluded.access_count,
      last_accessed = greatest(x.last_accessed, excluded.last_accessed),
      access_score = x.access_score
        * 2 ^ (-greatest(0, extract(epoch from excluded.scored_at - x.scored_at)) / (7 * 86400))
        + excluded.access_count,
      scored_at = greatest(x.scored_at, excluded.scored_at);
end
$$;
