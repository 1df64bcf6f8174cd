-- Consolidation: who works on a space, what trials of compositions found, and those that became compositions.

-- One consolidation of a space at a time. What a holder that crashed held is free again once its time is over.
create table app.consolidations (
  space_id   uuid primary key references app.spaces on delete cascade,
  holder     uuid,
  held_until timestamptz,
  -- Where the next sleep begins.
  next_idx   integer not null default 0,
  -- Explorations so far: each draws other numbers.
  explored   bigint not null default 0
);
alter table app.consolidations enable row level security, force row level security;
create policy tenant on app.consolidations
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update on app.consolidations to memory_app;

-- What trials of two patterns found: their validity is Beta(1 + valid, 1 + invalid).
create table app.pair_trials (
  space_id        uuid not null,
  a               integer not null,
  b               integer not null check (a < b),
  valid           integer not null check (valid >= 0),
  invalid         integer not null check (invalid >= 0),
  coherence       double precision not null check (coherence between 0 and 1),
  priority        double precision not null check (priority between 0 and 1),
  tried_at        timestamptz not null,
  consolidated_at timestamptz,
  primary key (space_id, a, b),
  foreign key (space_id, a) references app.patterns on delete cascade,
  foreign key (space_id, b) references app.patterns on delete cascade
);
create index pair_trials_by_b on app.pair_trials (space_id, b);
alter table app.pair_trials enable row level security, force row level security;
create policy tenant on app.pair_trials
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update, delete on app.pair_trials to memory_app;

-- Pairs that sleep has made one of: half way between their keys. No patterns of the user's, and in no quota.
create table app.compositions (
  space_id   uuid not null,
  a          integer not null,
  b          integer not null check (a < b),
  key        vector not null,
  strength   double precision not null check (strength between 0 and 1),
  created_at timestamptz not null,
  primary key (space_id, a, b),
  foreign key (space_id, a) references app.patterns on delete cascade,
  foreign key (space_id, b) references app.patterns on delete cascade
);
create index compositions_by_b on app.compositions (space_id, b);
alter table app.compositions enable row level security, force row level security;
create policy tenant on app.compositions
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update, delete on app.compositions to memory_app;

-- What was found out with a key, or made of it, goes with the key.
create function app.forget_compositions() returns trigger language plpgsql as $$
begin
  delete from app.pair_trials t where t.space_id = new.space_id and (t.a = new.idx or t.b = new.idx);
  delete from app.compositions c where c.space_id = new.space_id and (c.a = new.idx or c.b = new.idx);
  return null;
end
$$;
create trigger pattern_rekeyed after update of key on app.patterns
  for each row when (old.key is distinct from new.key) execute function app.forget_compositions();

alter table app.pattern_accesses
  -- Null for a pattern that was in no answer, whose strength alone has changed.
  alter column last_accessed drop not null,
  add column weakened_at timestamptz;
