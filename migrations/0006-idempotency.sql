-- Answers kept for a day under the caller's Idempotency-Key.
create table app.idempotency_keys (
  space_id    uuid not null references app.spaces,
  route       text not null,
  key         text not null,
  body_hash   bytea not null,
  -- Null while the first request runs; its claim ends by itself when that request died.
  status      integer,
  response    text,
  claimed_until timestamptz not null,
  created_at  timestamptz not null default now(),
  primary key (space_id, route, key)
);
create index idempotency_keys_by_age on app.idempotency_keys (created_at);
alter table app.idempotency_keys enable row level security, force row level security;
create policy tenant on app.idempotency_keys
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy purge on app.idempotency_keys
  using (app.current_task() = 'purge-idempotency-keys' and created_at < now() - interval '24 hours');
grant select, insert, update, delete on app.idempotency_keys to memory_app;

-- outcome: claimed (do the work; claim proves at the end that nobody took over), replay (status and response are the first answer), running, other_body.
create function app.claim_idempotency_key(
  p_space uuid, p_route text, p_key text, p_body_hash bytea, p_claim interval
)
returns table (outcome text, status integer, response text, claim text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  k app.idempotency_keys;
begin
  perform set_config('app.space_id', p_space::text, true);
  insert into app.idempotency_keys as i (space_id, route, key, body_hash, claimed_until)
    values (p_space, p_route, p_key, p_body_hash, now() + p_claim)
    on conflict (space_id, route, key) do update
      set body_hash = excluded.body_hash, claimed_until = excluded.claimed_until, status = null, response = null,
          created_at = now()
      where i.created_at < now() - interval '24 hours'
         or (i.status is null and i.claimed_until < now() and i.body_hash = excluded.body_hash)
    returning i.claimed_until::text into claim;
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

create function app.release_idempotency_key(p_space uuid, p_route text, p_key text, p_claim text)
returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  perform set_config('app.space_id', p_space::text, true);
  delete from app.idempotency_keys i
    where i.space_id = p_space and i.route = p_route and i.key = p_key and i.status is null
      and i.claimed_until::text = p_claim;
end
$$;
