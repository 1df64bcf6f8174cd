-- Conflicts: pairs of texts that say nearly the same or contradict each other.

-- What was found of a text, or said of it, goes with the text. The subject of the transaction is left aside, as where
-- traces go.
create or replace function app.forget_conflicts() returns trigger language plpgsql as $$
declare
  subject text := app.leave_subject();
begin
  delete from app.conflicts c where c.space_id = new.space_id and (c.a = new.idx or c.b = new.idx);
  perform app.return_to_subject(subject);
  return null;
end
$$;

-- Has a pattern of the locked space take the place of another one, as a store with `supersedes` does: from when it is valid
-- on, or from now on where that is no later than the other one.
create or replace function app.supersede_pattern(p_space uuid, p_old integer, p_new integer, p_kept integer, p_by text)
returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  next_version bigint;
begin
  update app.spaces s set version = s.version + 1 where s.id = p_space returning s.version into next_version;
  perform app.supersede_patterns(p_space, next_version, p_kept, p_by, array[p_old], array[p_new]);
  update app.patterns p set valid_to = now()
    where p.space_id = p_space and p.idx = p_old
      and date_trunc('milliseconds', p.valid_to) <= date_trunc('milliseconds', coalesce(p.valid_from, p.occurred_at));
end
$$;

-- Patterns of a space that were stored or changed after p_version and p_idx, up to the version p_until, in the order of their
-- versions and indexes, and whether each is a text that is there. A planner without statistics would sort all of them for each page.
create or replace function app.touched_patterns(
  p_space uuid, p_version bigint, p_idx integer, p_until bigint, p_count integer
)
returns table (version bigint, idx integer, is_text boolean)
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  return query
    select p.version, p.idx, p.text is not null and app.is_current(p.expires_at, p.valid_to, p.enters_at)
      from app.patterns p
      where p.space_id = p_space and p.version >= p_version and p.version <= p_until
        and (p.version > p_version or p.idx > p_idx)
      order by p.version, p.idx limit p_count;
end
$$;
