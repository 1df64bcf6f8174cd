-- Storing many patterns at once, in two thirds of the time. What each row cost beside itself: the hash of its key, a look
-- for its space, and reading whose rows the policy lets through.

-- In the order in which whoever stores takes them.
lock table app.spaces, app.patterns in access exclusive mode;

-- The service hashes a new key, faster than the database does. The database does where a key changes, and for processes of
-- an earlier release: a statement that waited for this migration goes on with the function that it had begun.
alter table app.patterns alter column key_hash drop expression;

create function app.hash_pattern_key() returns trigger language plpgsql as $$
begin
  new.key_hash := app.pattern_key_hash(new.key);
  return new;
end
$$;
create trigger pattern_key_hashed before update of key on app.patterns
  for each row execute function app.hash_pattern_key();
create trigger pattern_key_missed before insert on app.patterns
  for each row when (new.key_hash is null) execute function app.hash_pattern_key();

-- Whoever stores locks the space's row and so knows that it is there; whoever removes a space must have emptied it.
alter table app.patterns drop constraint patterns_space_id_fkey;

create function app.require_empty_space() returns trigger language plpgsql as $$
declare
  space text := coalesce(current_setting('app.space_id', true), '');
begin
  perform set_config('app.space_id', old.id::text, true);
  if exists (select from app.patterns p where p.space_id = old.id) then
    raise exception 'space % still has patterns', old.id using errcode = 'foreign_key_violation';
  end if;
  perform set_config('app.space_id', space, true);
  return old;
end
$$;
create trigger space_removed before delete on app.spaces
  for each row execute function app.require_empty_space();

-- The setting is read once a statement, not once a row.
alter policy tenant on app.patterns
  using (space_id = (select app.current_space())) with check (space_id = (select app.current_space()));

drop function app.insert_patterns(
  uuid, bigint, text[], text[], text[], vector[], vector[], integer[], text[], text, text[], boolean[], timestamptz[],
  timestamptz[]
);
-- Stores as before. p_key_hashes: `app.pattern_key_hash` of each key in hex.
create function app.insert_patterns(
  p_space uuid, p_limit bigint, p_ids text[], p_texts text[], p_metadata text[], p_keys vector[], p_values vector[],
  p_source_dims integer[], p_text_hashes text[], p_model text, p_categories text[], p_protected boolean[],
  p_expires_at timestamptz[], p_occurred_at timestamptz[], p_key_hashes text[] default null
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
  if not found then
    raise exception 'space % is gone', p_space using errcode = 'foreign_key_violation';
  end if;
  stored := cardinality(p_ids);
  if p_limit >= 0 then
    stored := greatest(0, least(stored, p_limit - patterns_used))::integer;
  end if;
  if stored > 0 then
    with added as (
      insert into app.patterns (
        space_id, idx, id, text, metadata, key, value, source_dim, key_hash, text_hash, model, category, protected,
        version, expires_at, occurred_at
      )
      select p_space, first_idx + r.n::integer - 1, r.id, r.text, r.metadata::jsonb, r.key, r.value, r.source_dim,
             decode(r.key_hash, 'hex'), decode(r.text_hash, 'hex'), case when r.text is not null then p_model end,
             r.category, r.protected, version, r.expires_at, coalesce(r.occurred_at, now())
        from unnest(
          p_ids, p_texts, p_metadata, p_keys, p_values, p_source_dims, p_text_hashes, p_categories, p_protected,
          p_expires_at, p_occurred_at, p_key_hashes
        ) with ordinality as r (
          id, text, metadata, key, value, source_dim, text_hash, category, protected, expires_at, occurred_at,
          key_hash, n
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
