-- Claims on idempotency keys, which end with the process that made them.

-- outcome: claimed (do the work; p_claim proves at the end that nobody took over), replay (status and response are the first
-- answer), running, other_body.
create or replace function app.claim_idempotency_key(
  p_space uuid, p_route text, p_key text, p_body_hash bytea, p_lease interval, p_claim uuid
)
returns table (outcome text, status integer, response text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  k app.idempotency_keys;
begin
  perform set_config('app.space_id', p_space::text, true);
  -- What had to wait for another's transaction counts its lease from then.
  insert into app.idempotency_keys as i (space_id, route, key, body_hash, claimed_until, claim)
    values (p_space, p_route, p_key, p_body_hash, now() + p_lease, p_claim)
    on conflict (space_id, route, key) do update
      set body_hash = excluded.body_hash, claimed_until = clock_timestamp() + p_lease, claim = p_claim,
          status = null, response = null, created_at = now()
      where i.created_at < now() - interval '24 hours'
         or (i.status is null and i.claimed_until < now() and i.body_hash = excluded.body_hash);
  if found then
    outcome := 'claimed';
    return next;
    return;
  end if;
  select * into k from app.idempotency_keys i where i.space_id = p_space and i.route = p_route and i.key = p_key;
  status := k.status;
  response := k.response;
  outcome := case
    when k.body_hash <> p_body_hash then 'other_body'
    when k.status is null then 'running'
    else 'replay'
  end;
  return next;
end
$$;
