-- When each space is next consolidated, explored and looked through for patterns that change tier.

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

-- Which spaces are in use is known from what is counted of their requests.
create policy schedule on app.usage_latencies for select using (app.current_task() = 'schedule-spaces');
-- Spaces of a deleted organization wait until it is restored, or erased.
create policy schedule on app.spaces for select using (app.current_task() = 'schedule-spaces');
create policy schedule on app.organizations for select using (app.current_task() = 'schedule-spaces');
