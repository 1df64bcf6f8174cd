import { parameters } from '@memory/engine/parameters'
import { notify } from '@memory/shared/notifications/notify'
import type { Trx } from '@memory/shared/platform/database/database'
import { recordBegun, recordDone, recordProgress } from '../schedule/schedule.ts'
import { type RunOutcome, runWhenDue, type SpaceWork } from '../schedule/scheduled-run.ts'
import { isBypassed, sleepOnce } from './sleep.ts'

const task = 'sleep'

/**
 * Has a space sleep if it is due, and tells its organization when the sleep has come to the end of the space. Each sleep
 * replays once, however many runs it takes.
 */
export function sleepSpace(context: SpaceWork, spaceId: string): Promise<RunOutcome> {
  const { clock, log } = context
  return runWhenDue(context, spaceId, task, async ({ space, lease, before }) => {
    if (await isBypassed(context, spaceId)) return 'bypassed'
    const started = performance.now()
    const { organizationId } = space
    const isNew = before.begunAt === null
    let hasBegun = !isNew
    const begin = async (trx: Trx) => {
      if (!hasBegun) await recordBegun(trx, spaceId, task, clock.now())
      hasBegun = true
    }
    const recording: typeof lease = {
      ...lease,
      // A sleep has begun with its first step, so that no other run replays for it again.
      renew: async (trx) => {
        await lease.renew(trx)
        await begin(trx)
      },
    }
    const slept = await sleepOnce(
      context,
      space,
      recording,
      isNew ? parameters.schedule.sleepBatch : 0,
      async (trx, consolidated) => {
        await begin(trx)
        await recordProgress(trx, spaceId, task, {
          nextIdx: 0,
          consolidated: before.consolidated + consolidated,
        })
      },
    )
    const consolidated = before.consolidated + slept.consolidated
    if (slept.isWhole) {
      await lease.keep(async (trx) => {
        await recordDone(trx, spaceId, task, clock.now())
        await notify(trx, organizationId, 'memory.consolidation_completed', { spaceId, consolidated })
      }, organizationId)
    }
    const ms = Math.round(performance.now() - started)
    const { conflicts, isWhole } = slept
    log.info({ spaceId, consolidated, conflicts, whole: isWhole, ms }, 'space consolidated')
    return slept.isWhole ? 'done' : 'unfinished'
  })
}
