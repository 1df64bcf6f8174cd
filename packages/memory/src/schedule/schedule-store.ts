import { type SpaceTask, spaceTasks, type TaskState } from '@memory/engine/sleep/schedule'
import { asTask, asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** The schedule of one task in one space, as it is stored. */
export interface Schedule extends TaskState {
  spaceId: string
  task: SpaceTask
  /** If a run is incomplete: the idx where it continues, and how much it has consolidated so far. */
  nextIdx: number
  consolidated: number
  /** Ms since 1970; null: not before the space is used again. */
  dueAt: number | null
}

interface Row {
  space_id: string
  task: SpaceTask
  active_at: Date
  waiting_since: Date | null
  done_at: Date | null
  begun_at: Date | null
  next_idx: number
  consolidated: number
  due_at: Date | null
}

const ms = (at: Date | null): number | null => at?.getTime() ?? null
const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

const toSchedule = (row: Row): Schedule => ({
  spaceId: row.space_id,
  task: row.task,
  activeAt: row.active_at.getTime(),
  waitingSince: ms(row.waiting_since),
  doneAt: ms(row.done_at),
  begunAt: ms(row.begun_at),
  nextIdx: row.next_idx,
  consolidated: Number(row.consolidated),
  dueAt: ms(row.due_at),
})

/** When a space was last used. */
export interface Use {
  spaceId: string
  /** Ms since 1970. */
  at: number
}

/**
 * Uses of spaces until `now` that are not recorded in their schedules yet. Read from the latency statistics of requests, from
 * `lookBackMs` before the latest recorded use on. What a process whose clock was ahead has written of the future waits until
 * then, and neither it nor such a recorded use keeps others from being read, those of its own space neither.
 * @param aheadMs a recorded use so much later than now is such a one
 * @param bucketMs length of the time buckets of these statistics; a use counts as at the end of its bucket
 * @param count how many spaces at most
 */
export async function listUses(
  queries: Queries,
  now: Date,
  {
    aheadMs,
    bucketMs,
    lookBackMs,
    count,
  }: { aheadMs: number; bucketMs: number; lookBackMs: number; count: number },
): Promise<Use[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const seconds = (length: number) => sql`make_interval(secs => ${length / 1_000})`
  const { rows } = await asTask(queries, 'schedule-spaces', (trx) =>
    sql<{ space_id: string; used_at: Date }>`
      select u.space_id, u.used_at from (
        select l.space_id, max(l.at) + ${seconds(bucketMs)} as used_at from app.usage_latencies l
          where l.operation <> 'consolidate'
            and l.at <= ${at}
            and l.at > least(coalesce((select max(s.active_at) from app.space_schedules s), '-infinity'), ${at})
              - ${seconds(lookBackMs)}
          group by l.space_id
      ) as u
      -- Joined by space alone: many spaces are used in the same minute, and a join by time would compare all of these.
      where coalesce(
        (select bool_and(s.active_at < u.used_at or s.active_at > ${at} + ${seconds(aheadMs)})
          from app.space_schedules s where s.space_id = u.space_id), true
      )
      order by u.used_at, u.space_id limit ${count}`.execute(trx),
  )
  return rows.map(({ space_id, used_at }) => ({ spaceId: space_id, at: used_at.getTime() }))
}

/** Changes schedules. @param change gets the present ones by `nameOf`, and returns those to write */
export function changeSchedules(
  queries: Queries,
  spaceIds: readonly string[],
  change: (known: ReadonlyMap<string, Schedule>) => readonly Schedule[],
): Promise<void> {
  return asTask(queries, 'schedule-spaces', async (trx) => {
    const { rows } = await sql<Row>`
      select * from app.space_schedules s where s.space_id = any (${spaceIds}::uuid[])
        order by s.space_id, s.task for update`.execute(trx)
    const known = new Map(rows.map((row) => [nameOf(row.space_id, row.task), toSchedule(row)]))
    await save(trx, change(known))
  })
}

/** A key for maps. */
export const nameOf = (spaceId: string, task: SpaceTask): string => `${spaceId}/${task}`

/** Writes schedules, except those of spaces that are gone. */
async function save(trx: Trx, schedules: readonly Schedule[]): Promise<void> {
  if (schedules.length === 0) return
  const column = <T>(read: (schedule: Schedule) => T) => schedules.map(read)
  await sql`
    insert into app.space_schedules as s
        (space_id, task, active_at, waiting_since, done_at, begun_at, next_idx, consolidated, due_at)
      select n.space_id, n.task, n.active_at, n.waiting_since, n.done_at, n.begun_at, n.next_idx, n.consolidated, n.due_at
        from unnest(
          ${column(({ spaceId }) => spaceId)}::uuid[], ${column(({ task }) => task)}::text[],
          ${column(({ activeAt }) => iso(activeAt))}::timestamptz[],
          ${column(({ waitingSince }) => iso(waitingSince))}::timestamptz[],
          ${column(({ doneAt }) => iso(doneAt))}::timestamptz[], ${column(({ begunAt }) => iso(begunAt))}::timestamptz[],
          ${column(({ nextIdx }) => nextIdx)}::int[], ${column(({ consolidated }) => consolidated)}::bigint[],
          ${column(({ dueAt }) => iso(dueAt))}::timestamptz[]
        ) as n (space_id, task, active_at, waiting_since, done_at, begun_at, next_idx, consolidated, due_at)
        where exists (select from app.spaces e where e.id = n.space_id)
        order by n.space_id, n.task
      on conflict (space_id, task) do update set
        active_at = excluded.active_at, waiting_since = excluded.waiting_since, done_at = excluded.done_at,
        begun_at = excluded.begun_at, next_idx = excluded.next_idx, consolidated = excluded.consolidated,
        due_at = excluded.due_at`.execute(trx)
}

/** Tasks that are due, the longest overdue first. @param count how many of each kind at most, so that none hides another */
export async function listDue(
  queries: Queries,
  now: Date,
  count: number,
): Promise<{ spaceId: string; task: SpaceTask }[]> {
  const { rows } = await asTask(queries, 'schedule-spaces', (trx) =>
    sql<Pick<Row, 'space_id' | 'task'>>`
      select s.space_id, s.task from unnest(${spaceTasks}::text[]) as kinds (task), lateral (
          select * from app.space_schedules s
            where s.task = kinds.task and s.due_at <= ${now.toISOString()}::timestamptz
            order by s.due_at, s.space_id limit ${count}
        ) as s
        order by s.due_at, s.space_id, s.task`.execute(trx),
  )
  return rows.map(({ space_id, task }) => ({ spaceId: space_id, task }))
}

/** A space for background work, with its present versions. */
export interface ScheduledSpace {
  spaceId: string
  organizationId: string
  spaceVersion: number
  engineVersion: number
}

/** @returns undefined for a space that is gone, or whose organization was deleted */
export async function findSpace(queries: Queries, spaceId: string): Promise<ScheduledSpace | undefined> {
  const { rows } = await asTask(queries, 'schedule-spaces', (trx) =>
    sql<{ organization_id: string; version: number; engine_version: number }>`
      select s.organization_id, s.version, s.engine_version from app.spaces s
        join app.organizations o on o.id = s.organization_id
        where s.id = ${spaceId} and o.deleted_at is null`.execute(trx),
  )
  const [row] = rows
  return (
    row && {
      spaceId,
      organizationId: row.organization_id,
      spaceVersion: row.version,
      engineVersion: row.engine_version,
    }
  )
}

/** Reads one schedule. */
export function find(queries: Queries, spaceId: string, task: SpaceTask): Promise<Schedule | undefined> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<Row>`
      select * from app.space_schedules s where s.space_id = ${spaceId} and s.task = ${task}`.execute(trx)
    return rows[0] && toSchedule(rows[0])
  })
}

/** Changes one schedule, in a transaction of the space's tenant. Does nothing if there is none. */
export async function change(
  trx: Trx,
  spaceId: string,
  task: SpaceTask,
  work: (before: Schedule) => Schedule,
): Promise<void> {
  const { rows } = await sql<Row>`
    select * from app.space_schedules s where s.space_id = ${spaceId} and s.task = ${task} for update`.execute(
    trx,
  )
  const [row] = rows
  if (row !== undefined) await save(trx, [work(toSchedule(row))])
}
