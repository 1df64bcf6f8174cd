-- What answers show of patterns, as JSON text where it is JSON: it goes into answers as it is. The vector's text is
-- the shortest that reads back as the same float32 values. Deleted or expired patterns are left out.
create function app.find_payloads(p_space uuid, p_idx integer[], p_values boolean)
returns table (idx integer, id text, text text, metadata text, value text, dimensions integer, source_dim integer)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, p.id, p.text, p.metadata::text,
           case when p_values then coalesce(p.value, p.key)::text end,
           vector_dims(p.key), p.source_dim
      from app.patterns p
      where p.space_id = p_space and p.idx = any (p_idx) and (p.expires_at is null or p.expires_at > now());
end
$$;

drop function app.find_patterns(uuid, integer[]);

-- The index also holds which dimension a key was projected down from.
drop function app.load_patterns(uuid, integer, integer);
-- Rows for the resident index, in idx order: the vector as pgvector's binary form.
create function app.load_patterns(p_space uuid, p_after_idx integer, p_count integer)
returns table (idx integer, key bytea, is_text boolean, source_dim integer, expires_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, vector_send(p.key), p.text is not null, p.source_dim, p.expires_at from app.patterns p
    where p.space_id = p_space and p.idx > p_after_idx order by p.idx limit p_count;
end
$$;

drop function app.changed_patterns(uuid, bigint);
-- What changed after a version: rows stored or updated, and (key null) rows deleted; one row with idx null when
-- nothing did. One statement, so that the space's version and floor are of the same moment as the changes.
create function app.changed_patterns(p_space uuid, p_since bigint)
returns table (
  version bigint, history_floor bigint, idx integer, key bytea, is_text boolean, source_dim integer,
  expires_at timestamptz
)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select s.version, s.history_floor, c.idx, c.key, c.is_text, c.source_dim, c.expires_at
      from app.spaces s
      left join (
        select p.idx, vector_send(p.key) as key, p.text is not null as is_text, p.source_dim, p.expires_at
          from app.patterns p where p.space_id = p_space and p.version > p_since
        union all
        select t.idx, null, null, null, null
          from app.pattern_tombstones t where t.space_id = p_space and t.version > p_since
      ) as c on true
      where s.id = p_space;
end
$$;
