-- What a space learns from being used: its engine's state, how its patterns are linked by use, and what each actor did
-- last. Several processes write it: additions add up in any order, and the rest changes under the lock of the space.

-- Statistics of surprise, signal, regime, weights of heads and records of pathways. Document of the engine, which alone
-- reads and changes it, whole and under the space's lock.
create table app.space_states (
  space_id uuid primary key references app.spaces on delete cascade,
  state    jsonb not null
);
alter table app.space_states alter column state set statistics 0;
alter table app.space_states enable row level security, force row level security;
create policy tenant on app.space_states
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update on app.space_states to memory_app;

-- The last observations of a space, as many as save_state keeps: those of about a second in one row, whose n counts
-- the observations up to its last. A row for each took most of the time of learning.
create table app.signal_history (
  space_id uuid not null references app.spaces on delete cascade,
  n        bigint not null,
  records  jsonb not null check (jsonb_typeof(records) = 'array'),
  primary key (space_id, n)
);
alter table app.signal_history alter column records set statistics 0;
alter table app.signal_history enable row level security, force row level security;
create policy tenant on app.signal_history
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, delete on app.signal_history to memory_app;

-- Patterns that answers held together, or that one actor used shortly after each other. Weights are those of `at`.
create table app.associations (
  space_id       uuid not null,
  a              integer not null,
  b              integer not null check (a < b),
  weight         double precision not null check (weight >= 0 and weight <= 1),
  at             timestamptz not null,
  engine_version bigint not null,
  primary key (space_id, a, b),
  foreign key (space_id, a) references app.patterns on delete cascade,
  foreign key (space_id, b) references app.patterns on delete cascade
) with (fillfactor = 80);
create index associations_by_b on app.associations (space_id, b);
create index associations_by_version on app.associations (space_id, engine_version);
alter table app.associations alter column weight set statistics 0, alter column at set statistics 0;
alter table app.associations enable row level security, force row level security;
create policy tenant on app.associations
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update, delete on app.associations to memory_app;

-- How often one pattern was an actor's top hit right after another. Counts are those of `at`.
create table app.transitions (
  space_id       uuid not null,
  source         integer not null,
  target         integer not null,
  count          double precision not null check (count >= 0),
  at             timestamptz not null,
  engine_version bigint not null,
  primary key (space_id, source, target),
  foreign key (space_id, source) references app.patterns on delete cascade,
  foreign key (space_id, target) references app.patterns on delete cascade
) with (fillfactor = 80);
create index transitions_by_target on app.transitions (space_id, target);
create index transitions_by_version on app.transitions (space_id, engine_version);
alter table app.transitions enable row level security, force row level security;
create policy tenant on app.transitions
  using (space_id = app.current_space()) with check (space_id = app.current_space());
grant select, insert, update, delete on app.transitions to memory_app;

-- What an actor did last, for half an hour. An actor is a hash; patterns are those that the trace mentions.
create table app.actor_traces (
  space_id uuid not null references app.spaces on delete cascade,
  actor    bytea not null,
  trace    jsonb not null,
  patterns integer[] not null,
  at       timestamptz not null,
  primary key (space_id, actor)
);
create index actor_traces_by_age on app.actor_traces (at);
alter table app.actor_traces alter column trace set statistics 0, alter column patterns set statistics 0;
alter table app.actor_traces enable row level security, force row level security;
create policy tenant on app.actor_traces
  using (space_id = app.current_space()) with check (space_id = app.current_space());
create policy purge_traces on app.actor_traces
  using (app.current_task() = 'purge-traces') with check (app.current_task() = 'purge-traces');
grant select, insert, update, delete on app.actor_traces to memory_app;
