-- Memory spaces, two of each organization, and what they hold: patterns, how these are used, and answers that are kept
-- under an Idempotency-Key.

create table app.spaces (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references app.organizations,
  environment     text not null check (environment in ('live', 'test')),
  -- Raised by every commit that changes the space's patterns; each changed row carries the number.
  version         bigint not null default 0,
  -- Deletes up to this version have left no tombstone any more: an older copy of the space starts anew.
  history_floor   bigint not null default 0,
  next_idx        integer not null default 0,
  patterns_used   bigint not null default 0 check (patterns_used >= 0),
  text_patterns   bigint not null default 0 check (text_patterns >= 0),
  storage_bytes   bigint not null default 0 check (storage_bytes >= 0),
  created_at      timestamptz not null default now(),
  -- Raised by every commit that changes what the space has learned.
  engine_version  bigint not null default 0,
  unique (organization_id, environment)
);
alter table app.spaces enable row level security, force row level security;
create policy tenant on app.spaces
  using (organization_id = app.current_organization() or id = app.current_space())
  with check (organization_id = app.current_organization() or id = app.current_space());
create policy purge_tombstones on app.spaces
  using (app.current_task() = 'purge-tombstones') with check (app.current_task() = 'purge-tombstones');
create policy kept on app.spaces as restrictive for delete
  using (exists (
    select from app.organizations o where o.id = spaces.organization_id and app.is_erasable(o.deleted_at)
  ));
create policy keep_usage on app.spaces for select using (app.current_task() = 'keep-usage');
-- Spaces of a deleted organization wait until it is restored, or erased.
create policy schedule on app.spaces for select using (app.current_task() = 'schedule-spaces');
-- Events of several organizations are fanned out, and deliveries to several signed, in one transaction.
create policy deliver on app.spaces for select using (app.current_task() = 'deliver-webhooks');
grant select, insert, update, delete on app.spaces to memory_app;
create trigger patterns_stored after update of patterns_used on app.spaces
  for each row when (new.patterns_used > old.patterns_used) execute function app.tell_pattern_limit();
create trigger callers_changed
  after update of version, engine_version, organization_id, environment or delete on app.spaces
  for each row when (current_setting('app.announces', true) = 'on')
  execute function app.tell_callers('organization_id');
create trigger space_removed before delete on app.spaces
  for each row execute function app.require_empty_space();

-- Text facts and key/value vectors.
create table app.patterns (
  -- No foreign key: whoever stores locks the space's row and so knows that it is there, and whoever removes a space must
  -- have emptied it (require_empty_space). A foreign key would look for the space at each row that is stored.
  space_id         uuid not null,
  idx              integer not null check (idx >= 0),
  id               text not null,
  text             text,
  metadata         jsonb,
  key              vector not null,
  -- Null when it equals the key, as for every text pattern.
  value            vector,
  source_dim       integer,
  -- app.pattern_key_hash(key): the service hashes a new key, the database one that changes or came without.
  key_hash         bytea not null,
  text_hash        bytea,
  model            text,
  category         text,
  protected        boolean not null default false,
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
-- New patterns are hot, so that storing them costs this index nothing.
create index patterns_by_tier on app.patterns (space_id, tier, idx) include (expires_at) where tier <> 'hot';
-- Personal facts of a space, newest first: `listImportant` reads the last entries and no other rows.
create index patterns_important on app.patterns (space_id, idx)
  where category is not null and category <> 'preference' and text is not null;
-- Nobody looks for rows by these: their statistics took most of an analysis.
alter table app.patterns alter column key set statistics 0, alter column value set statistics 0,
  alter column text set statistics 0;
alter table app.patterns enable row level security, force row level security;
-- The setting is read once a statement, not once a row.
create policy tenant on app.patterns
  using (space_id = (select app.current_space())) with check (space_id = (select app.current_space()));
create policy expired on app.patterns for select
  using (app.current_task() = 'erase-expired-patterns' and expires_at <= now());
grant select, insert, update, delete on app.patterns to memory_app;
create trigger pattern_forgotten after delete on app.patterns referencing old table as gone
  for each statement execute function app.forget_traces();
create trigger pattern_rekeyed after update of key on app.patterns
  for each row execute function app.forget_compositions();
create trigger last_found_forgotten after delete on app.patterns referencing old table as gone
  for each statement execute function app.forget_last_found();
create trigger pattern_key_hashed before update of key on app.patterns
  for each row execute function app.hash_pattern_key();
create trigger pattern_key_missed before insert on app.patterns
  for each row when (new.key_hash is null) execute function app.hash_pattern_key();

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

-- Since when patterns have been stored: those from first_idx to the next row's were stored from then on.
create table app.store_times (
  space_id  uuid not null references app.spaces on delete cascade,
  first_idx integer not null,
  stored_at timestamptz not null,
  primary key (space_id, first_idx)
);
alter table app.store_times enable row level security, force row level security;
create policy tenant on app.store_times
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, delete on app.store_times to memory_app;

-- How patterns are used; a pattern that was in no answer yet has no row. Apart from the patterns, whose rows with
-- their vectors and seven indexes cost fifteen times as much to write, and answers touch many patterns a second.
create table app.pattern_accesses (
  space_id      uuid not null,
  idx           integer not null,
  access_count  bigint not null,
  -- Null for a pattern that was in no answer, whose strength alone has changed.
  last_accessed timestamptz,
  -- Sum over accesses and the store itself of 2 ^ (-age / 7 days), as it was at scored_at.
  access_score  double precision not null,
  scored_at     timestamptz not null,
  -- How strong a pattern is: a number beside its accesses, because what is never accessed keeps the start's.
  strength      double precision not null default 0.5 check (strength between 0 and 1),
  engine_version bigint not null default 0,
  weakened_at   timestamptz,
  primary key (space_id, idx),
  foreign key (space_id, idx) references app.patterns on delete cascade
) with (fillfactor = 70);
create index pattern_accesses_by_version on app.pattern_accesses (space_id, engine_version);
alter table app.pattern_accesses enable row level security, force row level security;
create policy tenant on app.pattern_accesses
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update on app.pattern_accesses to memory_app;

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
create index uncounted_accesses_by_age on app.uncounted_accesses (at);
-- It lives for seconds: pressing it would cost more than writing it.
alter table app.uncounted_accesses alter column idx set storage external, alter column counts set storage external;
alter table app.uncounted_accesses enable row level security, force row level security;
create policy tenant on app.uncounted_accesses
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy count_accesses on app.uncounted_accesses for select using (app.current_task() = 'count-accesses');
grant select, insert, delete on app.uncounted_accesses to memory_app;

-- What a space's answers were made of: patterns by the tier they were held in, and moves between tiers.
create table app.tier_counters (
  space_id   uuid primary key references app.spaces,
  hot_hits   bigint not null default 0 check (hot_hits >= 0),
  warm_hits  bigint not null default 0 check (warm_hits >= 0),
  cold_hits  bigint not null default 0 check (cold_hits >= 0),
  promotions bigint not null default 0 check (promotions >= 0),
  demotions  bigint not null default 0 check (demotions >= 0)
);
alter table app.tier_counters enable row level security, force row level security;
create policy tenant on app.tier_counters
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update, delete on app.tier_counters to memory_app;

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
  -- Who holds the claim, for as long as it is renewed before claimed_until.
  claim       uuid,
  primary key (space_id, route, key)
);
create index idempotency_keys_by_age on app.idempotency_keys (created_at);
alter table app.idempotency_keys enable row level security, force row level security;
create policy tenant on app.idempotency_keys
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy purge on app.idempotency_keys
  using (app.current_task() = 'purge-idempotency-keys' and created_at < now() - interval '24 hours');
create policy renew_seen on app.idempotency_keys for select
  using (app.current_task() = 'renew-idempotency-claims' and status is null);
create policy renew on app.idempotency_keys for update
  using (app.current_task() = 'renew-idempotency-claims' and status is null);
grant select, insert, update, delete on app.idempotency_keys to memory_app;
