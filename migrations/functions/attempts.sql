-- Attempts, which are limited by address, account and kind.

-- Takes one attempt from each bucket, or from none when one of them is used up. Buckets are taken in the order of their
-- hash, so that two requests never wait for each other in a circle. Returns the seconds until every bucket that is
-- used up is empty again; 0 when the attempt was taken.
create or replace function app.take_attempt(p_buckets bytea[], p_limits integer[], p_windows_s integer[]) returns integer
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  b record;
  wait integer;
begin
  perform set_config('app.task', 'throttle', true);
  for b in select bucket, least_limit, window_s
    from unnest(p_buckets, p_limits, p_windows_s) as u (bucket, least_limit, window_s) order by bucket
  loop
    insert into app.attempts as a (bucket, count, ends_at)
      values (b.bucket, 1, now() + make_interval(secs => b.window_s))
      on conflict (bucket) do update set
        count = case when a.ends_at <= now() then 1 else a.count + 1 end,
        ends_at = case when a.ends_at <= now() then excluded.ends_at else a.ends_at end
        where a.ends_at <= now() or a.count < b.least_limit;
    if not found then
      -- What was taken from the buckets before goes back with this.
      raise exception using errcode = 'MT001';
    end if;
  end loop;
  return 0;
exception when sqlstate 'MT001' then
  -- With the rest, the task went back too.
  perform set_config('app.task', 'throttle', true);
  select ceil(extract(epoch from max(a.ends_at) - now()))::integer into wait
    from unnest(p_buckets, p_limits) as u (bucket, least_limit)
    join app.attempts a on a.bucket = u.bucket and a.count >= u.least_limit and a.ends_at > now();
  return greatest(1, coalesce(wait, 1));
end
$$;

-- Gives an attempt back to each bucket (p_clear false), or empties them (true). One after the other in the order of
-- their hash, as they are taken: a single update locks them in the order of its plan.
create or replace function app.return_attempt(p_buckets bytea[], p_clear boolean[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  b record;
begin
  perform set_config('app.task', 'throttle', true);
  for b in select bucket, clear from unnest(p_buckets, p_clear) as u (bucket, clear) order by bucket loop
    update app.attempts a set count = case when b.clear then 0 else greatest(0, a.count - 1) end
      where a.bucket = b.bucket;
  end loop;
end
$$;
