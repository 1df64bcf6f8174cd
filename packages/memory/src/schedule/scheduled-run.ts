import { parameters } from '@memory/engine/parameters'
import type { SpaceTask } from '@memory/engine/sleep/schedule'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Exploration } from '../exploration/explore.ts'
import { type Lease, withLease } from './lease.ts'
import { putOff } from './schedule.ts'
import * as store from './schedule-store.ts'

const { busyMs, failedMs } = parameters.schedule

/** What background work on spaces works with. */
export interface SpaceWork extends Exploration {
  /** Lets go of what a run has opened; left out by a process that answers requests, which goes on with it. */
  release?: ((spaceId: string) => void) | undefined
}

/**
 * How a run ended: `unfinished` is gone on with by the next; `busy`: somebody else works on the space; `not_due`:
 * another process was first, or the space is gone.
 */
export type RunOutcome = 'done' | 'unfinished' | 'bypassed' | 'busy' | 'not_due'

/** A run that is due, while nobody else consolidates the space. */
export interface Run {
  space: store.ScheduledSpace
  lease: Lease
  before: store.Schedule
}

/**
 * Does a task of a space if it is due. May be called again, anywhere, at any time: what is not due is left alone, and
 * what was cut off is gone on with.
 */
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
      // Another process that found this one at work has put it off meanwhile.
      const isPutOff = isDue(known, now) && before !== undefined && isSameRun(known, before)
      if (!isDue(before, now) && !isPutOff) return 'not_due'
      return work({ space, lease, before })
    })
    if (outcome === 'bypassed') await later(failedMs)
    return outcome
  } catch (error) {
    // Or its texts are embedded anew.
    if (error instanceof ApiError && ['consolidation_running', 'unavailable'].includes(error.code)) {
      await later(busyMs)
      return 'busy'
    }
    log.warn({ err: error, spaceId, task }, 'background work on a space failed')
    await later(failedMs)
    throw error
  } finally {
    context.release?.(spaceId)
  }
}

function isDue(schedule: store.Schedule | undefined, now: number): schedule is store.Schedule {
  return schedule?.dueAt != null && schedule.dueAt <= now
}

/** Whether meanwhile the space was not used, and nobody has begun, gone on with or done the task. */
function isSameRun(a: store.Schedule, b: store.Schedule): boolean {
  return (
    a.activeAt === b.activeAt && a.begunAt === b.begunAt && a.doneAt === b.doneAt && a.nextIdx === b.nextIdx
  )
}
