import { parameters } from '@memory/engine/parameters'
import { notify } from '@memory/shared/notifications/notify'
import type { Trx } from '@memory/shared/platform/database/database'
import { recordingRun } from '../runs/record-run.ts'
import { recordBegun, recordDone, recordProgress } from '../schedule/schedule.ts'
import { type RunOutcome, runWhenDue, type SpaceWork } from '../schedule/scheduled-run.ts'
import { isBypassed, nothing, sleepOnce } from './sleep.ts'

const task = 'sleep'

/**
 * The scheduled sleep: one run over a space, if it is due. A sleep of a large space takes several runs, of which only the first
 * replays; when the last has reached the end of the space, the organization is notified.
 */
export function sleepSpace(context: SpaceWork, spaceId: string): Promise<RunOutcome> {
  const { clock, log } = context
  return runWhenDue(context, spaceId, task, async ({ space, lease, before }) => {
    if (await isBypassed(context, spaceId)) return 'bypassed'
    const isNew = before.begunAt === null
    const done = { ...nothing }
    return recordingRun(
      context,
      spaceId,
      { kind: task, cause: 'scheduled', goesOn: !isNew, soFar: done },
      async (record) => {
        const started = performance.now()
        const { organizationId } = space
        let hasBegun = !isNew
        const begin = async (trx: Trx) => {
          if (!hasBegun) await recordBegun(trx, spaceId, task, clock.now())
          hasBegun = true
        }
        const recording: typeof lease = {
          ...lease,
          // Every step calls `renew` in its transaction. With the first, the sleep counts as begun, so that no later run replays.
          renew: async (trx) => {
            await lease.renew(trx)
            await begin(trx)
          },
        }
        const isWhole = await sleepOnce(
          context,
          space,
          recording,
          isNew ? parameters.schedule.sleepBatch : 0,
          done,
          async (trx, consolidated) => {
            await begin(trx)
            await recordProgress(trx, spaceId, task, {
              nextIdx: 0,
              consolidated: before.consolidated + consolidated,
            })
          },
        )
        const consolidated = before.consolidated + done.consolidated
        await lease.keep(async (trx) => {
          await record(trx, done, { isWhole })
          if (!isWhole) return
          await recordDone(trx, spaceId, task, clock.now())
          await notify(trx, organizationId, 'memory.consolidation_completed', { spaceId, consolidated })
        }, organizationId)
        const ms = Math.round(performance.now() - started)
        log.info(
          { spaceId, consolidated, conflicts: done.conflicts, whole: isWhole, ms },
          'space consolidated',
        )
        return isWhole ? 'done' : 'unfinished'
      },
    )
  })
}
