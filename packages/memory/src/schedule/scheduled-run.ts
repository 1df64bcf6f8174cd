import { parameters } from '@memory/engine/parameters'
import type { SpaceTask } from '@memory/engine/sleep/schedule'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Exploration } from '../exploration/explore.ts'
import { type Lease, withLease } from './lease.ts'
import { putOff } from './schedule.ts'
import * as store from './schedule-store.ts'

const { busyMs, failedMs } = parameters.schedule

/** What background work on spaces needs of the context. */
export interface SpaceWork extends Exploration {
  /**
   * Does the runs of a task and then releases the space's memory, unless another task of the space still runs; undefined in a
   * process that answers requests, which keeps it for these.
   */
  holding?: ((spaceId: string, runs: () => Promise<void>) => Promise<void>) | undefined
}

/**
 * How a run ended. `done`: the task is complete; `unfinished`: the next run continues it; `bypassed`: the regime forbids it now;
 * `busy`: somebody else consolidates the space, or its texts are being embedded anew; `not_due`: another process was first, or
 * the space is gone.
 */
export type RunOutcome = 'done' | 'unfinished' | 'bypassed' | 'busy' | 'not_due'

/** A run, which holds the lease of its space. */
export interface Run {
  space: store.ScheduledSpace
  lease: Lease
  /** The schedule as it was when the run began. */
  before: store.Schedule
}

/** Runs a task of a space if it is due, and continues an interrupted run. Safe to call at any time, in any process. */
export async function runWhenDue(
  context: SpaceWork,
  spaceId: string,
  task: SpaceTask,
  work: (run: Run) => Promise<'done' | 'unfinished' | 'bypassed'>,
): Promise<RunOutcome> {
  const { queries, clock, log } = context
  const later = (ms: number) => putOff(queries, spaceId, task, clock.now().getTime() + ms)
  try {
    const space = await store.findSpace(queries, spaceId)
    if (space === undefined) {
      // Its organization was deleted; it may be restored.
      await later(parameters.schedule.patienceMs)
      return 'not_due'
    }
    const known = await store.find(queries, spaceId, task)
    const outcome = await withLease(context, spaceId, async (lease): Promise<RunOutcome> => {
      const before = await store.find(queries, spaceId, task)
      const now = clock.now().getTime()
      // While this one waited for the lease, another process may have found the space busy and postponed the task.
      const isPutOff = isDue(known, now) && before !== undefined && isSameRun(known, before)
      if (!isDue(before, now) && !isPutOff) return 'not_due'
      return work({ space, lease, before })
    })
    if (outcome === 'bypassed') await later(failedMs)
    return outcome
  } catch (error) {
    // 'unavailable': the space's texts are being embedded anew.
    if (error instanceof ApiError && ['consolidation_running', 'unavailable'].includes(error.code)) {
      await later(busyMs)
      return 'busy'
    }
    log.warn({ err: error, spaceId, task }, 'background work on a space failed')
    await later(failedMs)
    throw error
  }
}

function isDue(schedule: store.Schedule | undefined, now: number): schedule is store.Schedule {
  return schedule?.dueAt != null && schedule.dueAt <= now
}

/** Whether, between two readings of a schedule, the space was not used and nobody has worked on the task. */
function isSameRun(a: store.Schedule, b: store.Schedule): boolean {
  return (
    a.activeAt === b.activeAt && a.begunAt === b.begunAt && a.doneAt === b.doneAt && a.nextIdx === b.nextIdx
  )
}
