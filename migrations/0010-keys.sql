-- Keys of patterns as pgvector's binary form, for those that are not in memory as float32. Deleted or expired patterns
-- are left out.
create function app.find_keys(p_space uuid, p_idx integer[]) returns table (idx integer, key bytea)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.idx, vector_send(p.key) from app.patterns p
      where p.space_id = p_space and p.idx = any (p_idx) and (p.expires_at is null or p.expires_at > now());
end
$$;
