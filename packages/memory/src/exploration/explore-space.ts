import { parameters } from '@memory/engine/parameters'
import { recordingRun } from '../runs/record-run.ts'
import { recordDone } from '../schedule/schedule.ts'
import { type RunOutcome, runWhenDue, type SpaceWork } from '../schedule/scheduled-run.ts'
import { countsOf, exploreOnce } from './explore.ts'

const task = 'explore'

/** The scheduled exploration of a space, if it is due. Unlike sleep, no regime prevents it. */
export function exploreSpace(context: SpaceWork, spaceId: string): Promise<RunOutcome> {
  const { clock, log } = context
  return runWhenDue(context, spaceId, task, async ({ space, lease }) => {
    const started = performance.now()
    const outcomes = await recordingRun(
      context,
      spaceId,
      { kind: 'exploration', cause: 'scheduled' },
      (record) =>
        exploreOnce(context, space, lease, parameters.schedule.explorePairs, async (trx, outcomes) => {
          await recordDone(trx, spaceId, task, clock.now())
          await record(trx, countsOf(outcomes))
        }),
    )
    const { compositions_valid: valid } = countsOf(outcomes)
    const ms = Math.round(performance.now() - started)
    log.info({ spaceId, pairs: outcomes.length, valid, ms }, 'space explored')
    return 'done'
  })
}
