import { parameters } from '@memory/engine/parameters'
import { recordDone } from '../schedule/schedule.ts'
import { type RunOutcome, runWhenDue, type SpaceWork } from '../schedule/scheduled-run.ts'
import { exploreOnce } from './explore.ts'

const task = 'explore'

/** Tries pairs of a space if that is due. An anomaly keeps nobody from exploring. */
export function exploreSpace(context: SpaceWork, spaceId: string): Promise<RunOutcome> {
  const { clock, log } = context
  return runWhenDue(context, spaceId, task, async ({ space, lease }) => {
    const started = performance.now()
    const outcomes = await exploreOnce(context, space, lease, parameters.schedule.explorePairs, (trx) =>
      recordDone(trx, spaceId, task, clock.now()),
    )
    const valid = outcomes.filter(({ isValid }) => isValid).length
    const ms = Math.round(performance.now() - started)
    log.info({ spaceId, pairs: outcomes.length, valid, ms }, 'space explored')
    return 'done'
  })
}
