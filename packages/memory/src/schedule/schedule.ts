import {
  afterRun,
  afterUse,
  dueAt,
  type SpaceTask,
  spaceTasks,
  spreadOf,
  type TaskState,
} from '@memory/engine/sleep/schedule'
import { retention } from '@memory/shared/catalogue/retention'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import * as store from './schedule-store.ts'

/** Spaces whose use is read at once: reading looks at all that were used lately, however few it gives. */
const readAtOnce = 5_000
/** Spaces whose use is recorded in one transaction: 0.1 ms each, in the embedded database of everybody's time. */
const spacesAtOnce = 100
/** What a process could not write at once it writes later: an outage of the database of this length is made up for. */
const lookBackMs = 60 * 60_000

/** Records which spaces were used since the last time, and so when each is due. Safe in several processes at once. */
export async function recordUses(queries: Queries): Promise<void> {
  for (;;) {
    const uses = await store.listUses(queries, {
      bucketMs: retention.latencyMs,
      lookBackMs,
      count: readAtOnce,
    })
    for (let from = 0; from < uses.length; from += spacesAtOnce) {
      await recordSome(queries, uses.slice(from, from + spacesAtOnce))
    }
    if (uses.length < readAtOnce) return
  }
}

function recordSome(queries: Queries, uses: readonly store.Use[]): Promise<void> {
  const spaceIds = uses.map(({ spaceId }) => spaceId)
  return store.changeSchedules(queries, spaceIds, (known) =>
    uses.flatMap(({ spaceId, at }) =>
      spaceTasks.map((task) => {
        const before = known.get(store.nameOf(spaceId, task))
        return schedule(spaceId, task, afterUse(before, at), before)
      }),
    ),
  )
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

/** Records that a run has begun, so that one that is cut off is gone on with. */
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

/** Records that a run is whole. */
export function recordDone(trx: Trx, spaceId: string, task: SpaceTask, now: Date): Promise<void> {
  return store.change(trx, spaceId, task, (before) =>
    schedule(spaceId, task, afterRun(before, now.getTime())),
  )
}

/** Has a task wait until a moment, whatever its schedule says. */
export function putOff(queries: Queries, spaceId: string, task: SpaceTask, until: number): Promise<void> {
  return store.changeSchedules(queries, [spaceId], (known) => {
    const before = known.get(store.nameOf(spaceId, task))
    return before?.dueAt == null || before.dueAt >= until ? [] : [{ ...before, dueAt: until }]
  })
}
