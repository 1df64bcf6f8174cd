import { parameters } from '@memory/engine/parameters'
import {
  afterRun,
  afterUse,
  dueAt,
  type SpaceTask,
  spaceTasks,
  spreadOf,
  type TaskState,
  withoutFuture,
} from '@memory/engine/sleep/schedule'
import { retention } from '@memory/shared/catalogue/retention'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import * as store from './schedule-store.ts'

const { aheadMs, patienceMs } = parameters.schedule

/** Spaces read per statement. Many, since each statement scans all recent uses, however few it returns. */
const readAtOnce = 5_000
/** Spaces recorded per transaction: 0.1 ms each, during which all other queries of the embedded database wait. */
const spacesAtOnce = 100
/** Latency statistics may be written this much later than the use, after an outage of the database. */
const lookBackMs = 60 * 60_000

/**
 * Records which spaces were used since the last call, and computes when their tasks are due. Safe in several processes at once.
 */
export async function recordUses({ queries, clock }: { queries: Queries; clock: Clock }): Promise<void> {
  const now = clock.now()
  for (;;) {
    const uses = await store.listUses(queries, now, {
      aheadMs,
      bucketMs: retention.latencyMs,
      lookBackMs,
      count: readAtOnce,
    })
    for (let from = 0; from < uses.length; from += spacesAtOnce) {
      await recordSome(queries, uses.slice(from, from + spacesAtOnce), now.getTime())
    }
    if (uses.length < readAtOnce) return
  }
}

function recordSome(queries: Queries, uses: readonly store.Use[], now: number): Promise<void> {
  const spaceIds = uses.map(({ spaceId }) => spaceId)
  return store.changeSchedules(queries, spaceIds, (known) =>
    uses.flatMap(({ spaceId, at }) =>
      spaceTasks.map((task) => {
        const before = known.get(store.nameOf(spaceId, task))
        const after = schedule(spaceId, task, afterUse(before && withoutFuture(before, now), at), before)
        return isPutOff(before, now) ? { ...after, dueAt: Math.max(after.dueAt ?? 0, before.dueAt) } : after
      }),
    ),
  )
}

/** Whether a task is due later than follows from its state, see `putOff`: by `patienceMs` at most, unless a clock was ahead. */
function isPutOff(
  before: store.Schedule | undefined,
  now: number,
): before is store.Schedule & { dueAt: number } {
  if (before?.dueAt == null || before.dueAt > now + patienceMs + aheadMs) return false
  return before.dueAt > (dueAt(before.task, before, spreadOf(before.spaceId)) ?? Number.POSITIVE_INFINITY)
}

function schedule(
  spaceId: string,
  task: SpaceTask,
  state: TaskState,
  run: { nextIdx: number; consolidated: number } = { nextIdx: 0, consolidated: 0 },
): store.Schedule {
  const { nextIdx, consolidated } = run
  return {
    spaceId,
    task,
    activeAt: state.activeAt,
    waitingSince: state.waitingSince,
    doneAt: state.doneAt,
    begunAt: state.begunAt,
    nextIdx,
    consolidated,
    dueAt: dueAt(task, state, spreadOf(spaceId)),
  }
}

/** Records that a run has begun, so that it is continued if it is interrupted. */
export function recordBegun(trx: Trx, spaceId: string, task: SpaceTask, now: Date): Promise<void> {
  return store.change(trx, spaceId, task, (before) =>
    schedule(spaceId, task, { ...before, begunAt: before.begunAt ?? now.getTime() }, before),
  )
}

/** Records how far a run has come. */
export function recordProgress(
  trx: Trx,
  spaceId: string,
  task: SpaceTask,
  run: { nextIdx: number; consolidated: number },
): Promise<void> {
  return store.change(trx, spaceId, task, (before) => ({ ...before, ...run }))
}

/** Records that a run is complete. */
export function recordDone(trx: Trx, spaceId: string, task: SpaceTask, now: Date): Promise<void> {
  return store.change(trx, spaceId, task, (before) =>
    schedule(spaceId, task, afterRun(before, now.getTime())),
  )
}

/** Postpones a task until a time (ms since 1970), if it is due earlier. No use of the space brings it forward again. */
export function putOff(queries: Queries, spaceId: string, task: SpaceTask, until: number): Promise<void> {
  return store.changeSchedules(queries, [spaceId], (known) => {
    const before = known.get(store.nameOf(spaceId, task))
    return before?.dueAt == null || before.dueAt >= until ? [] : [{ ...before, dueAt: until }]
  })
}
