-- Accesses that are not counted yet. A process that answers much appends here what each second brought, and counts the
-- sum of half a minute: an access more of the same pattern then costs nothing. What a process leaves that dies is counted
-- by the next.
create table app.uncounted_accesses (
  space_id uuid not null references app.spaces on delete cascade,
  id       bigint generated always as identity,
  at       timestamptz not null,
  -- The patterns, and how often each was in an answer.
  idx      integer[] not null,
  counts   integer[] not null,
  primary key (space_id, id),
  check (cardinality(idx) = cardinality(counts))
);
-- It lives for seconds: pressing it would cost more than writing it.
alter table app.uncounted_accesses alter column idx set storage external, alter column counts set storage external;
create index uncounted_accesses_by_age on app.uncounted_accesses (at);
alter table app.uncounted_accesses enable row level security, force row level security;
create policy tenant on app.uncounted_accesses
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy count_accesses on app.uncounted_accesses for select using (app.current_task() = 'count-accesses');
grant select, insert, delete on app.uncounted_accesses to memory_app;

-- Keeps accesses for later; null for a space that is gone.
create function app.keep_accesses(p_space uuid, p_at timestamptz, p_idx integer[], p_counts integer[]) returns bigint
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  kept bigint;
begin
  perform set_config('app.space_id', p_space::text, true);
  insert into app.uncounted_accesses (space_id, at, idx, counts)
    select s.id, p_at, p_idx, p_counts from app.spaces s where s.id = p_space
    returning id into kept;
  return kept;
end
$$;

-- Counts what was kept, once, and returns what record_accesses does; nothing where another process has counted it. Until
-- this is on the disk, what was kept is, so nobody waits for it.
create function app.count_kept_accesses(p_space uuid, p_id bigint, p_half_life_s double precision)
returns table (idx integer, tier text, protected boolean, access_score double precision, scored_at timestamptz)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  kept app.uncounted_accesses;
begin
  perform set_config('app.space_id', p_space::text, true);
  -- Before the row, as whoever erases a space.
  perform from app.spaces s where s.id = p_space for share;
  delete from app.uncounted_accesses u where u.space_id = p_space and u.id = p_id returning * into kept;
  if found then
    return query
      select * from app.record_accesses(p_space, kept.idx, kept.counts, kept.at, p_half_life_s, false);
  end if;
end
$$;
