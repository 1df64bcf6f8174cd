-- Patterns addressed by their key vector, by their idx or, for composition, by their id; and vectors stored as the
-- binary form they arrive in: reading their decimal digits took most of the time of a large batch.

drop function app.insert_patterns(
  uuid, bigint, text[], text[], text[], text[], text[], integer[], text[], text, text[], boolean[], timestamptz[],
  timestamptz[]
);
-- Stores as many of the rows as p_limit (-1: no limit) leaves room for, in their order. The space's row is
-- locked until the commit, so versions and indexes are given in commit order.
create function app.insert_patterns(
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
  end if;
  return next;
end
$$;

-- What `patterns.key_hash` holds, for the index on it. Byte by byte: the service stores no negative zero.
create function app.pattern_key_hash(p_key vector) returns bytea language sql immutable parallel safe
return substr(sha256(vector_send(p_key)), 1, 16);

-- Gives the newest unexpired pattern with this key another value (null: the key itself) and, where p_set_metadata says
-- so, other metadata. A text pattern is named and left as it is; no row when no pattern has the key.
create function app.put_vector(
  p_space uuid, p_key text, p_value text, p_set_metadata boolean, p_metadata text, p_category text, p_protected boolean
)
returns table (idx integer, is_text boolean, version bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  wanted vector := p_key::vector;
  old_bytes integer;
  new_bytes integer;
begin
  perform set_config('app.space_id', p_space::text, true);
  select s.version + 1 into version from app.spaces s where s.id = p_space for update;
  select p.idx, p.text is not null, p.bytes into idx, is_text, old_bytes from app.patterns p
    where p.space_id = p_space and p.key_hash = app.pattern_key_hash(wanted) and p.key = wanted
      and (p.expires_at is null or p.expires_at > now())
    order by p.idx desc limit 1;
  if not found then
    return;
  end if;
  if not is_text then
    update app.patterns p set
        value = p_value::vector,
        metadata = case when p_set_metadata then p_metadata::jsonb else p.metadata end,
        category = case when p_set_metadata then p_category else p.category end,
        protected = case when p_set_metadata then p_protected else p.protected end,
        version = put_vector.version
      where p.space_id = p_space and p.idx = put_vector.idx
      returning p.bytes into new_bytes;
    update app.spaces s set version = put_vector.version, storage_bytes = s.storage_bytes - old_bytes + new_bytes
      where s.id = p_space;
  end if;
  return next;
end
$$;

-- Removes every unexpired pattern with this key.
create function app.delete_vectors(p_space uuid, p_key text) returns table (idx integer, version bigint)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  wanted vector := p_key::vector;
  doomed integer[];
begin
  perform set_config('app.space_id', p_space::text, true);
  perform from app.spaces s where s.id = p_space for update;
  select coalesce(array_agg(p.idx), '{}') into doomed from app.patterns p
    where p.space_id = p_space and p.key_hash = app.pattern_key_hash(wanted) and p.key = wanted
      and (p.expires_at is null or p.expires_at > now());
  return query
    select d.idx, d.version
      from app.delete_patterns(p_space, doomed, null, null, null, null, null, null, false, false) d;
end
$$;

-- One unexpired pattern with its vectors as JSON text; value null where it equals the key.
create function app.find_vector(p_space uuid, p_idx integer)
returns table (key text, value text, metadata text, is_text boolean)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.key::text, p.value::text, p.metadata::text, p.text is not null from app.patterns p
    where p.space_id = p_space and p.idx = p_idx and (p.expires_at is null or p.expires_at > now());
end
$$;

-- Keys of the unexpired patterns with these ids, in pgvector's binary form.
create function app.find_keys_by_id(p_space uuid, p_ids text[]) returns table (id text, key bytea)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.id, vector_send(p.key) from app.patterns p
    where p.space_id = p_space and p.id = any (p_ids) and (p.expires_at is null or p.expires_at > now());
end
$$;
