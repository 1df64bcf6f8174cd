-- Sleep and exploration: who works on a space and when it is next due, what trials of compositions found, and those
-- that became compositions.

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

-- When each space next sleeps, explores and is looked through for patterns that change tier.
create table app.space_schedules (
  space_id      uuid not null references app.spaces on delete cascade,
  task          text not null check (task in ('sleep', 'explore', 'migrate_tiers')),
  active_at     timestamptz not null,
  waiting_since timestamptz,
  done_at       timestamptz,
  begun_at      timestamptz,
  -- Of a run that has stopped half way: where the next begins, and what it has consolidated so far.
  next_idx      integer not null default 0,
  consolidated  bigint not null default 0,
  -- Follows from the times above; null for not before the space is used again.
  due_at        timestamptz,
  primary key (space_id, task)
) with (fillfactor = 80);
create index space_schedules_due on app.space_schedules (due_at) where due_at is not null;
create index space_schedules_by_activity on app.space_schedules (active_at);
alter table app.space_schedules enable row level security, force row level security;
create policy tenant on app.space_schedules
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy schedule on app.space_schedules
  using (app.current_task() = 'schedule-spaces') with check (app.current_task() = 'schedule-spaces');
grant select, insert, update on app.space_schedules to memory_app;
