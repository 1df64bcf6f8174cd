import { parameters } from '@memory/engine/parameters'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { recordBegun, recordDone, recordProgress } from '../schedule/schedule.ts'
import { type RunOutcome, runWhenDue, type SpaceWork } from '../schedule/scheduled-run.ts'
import { migrateTiers } from '../tiers/migrate-tiers.ts'

const task = 'migrate_tiers'
const { runPatterns } = parameters.sleep
/** Patterns per step, as in a sleep: if all of them move, a step takes the embedded database about 20 ms. */
const stepPatterns = 40

/** The scheduled migration of a space's patterns between tiers, if it is due. A run looks at `runPatterns` patterns at most. */
export function migrateSpaceTiers(context: SpaceWork, spaceId: string): Promise<RunOutcome> {
  const { queries, spaces, clock, log } = context
  return runWhenDue(context, spaceId, task, async ({ lease, before }) => {
    const started = performance.now()
    let moved = 0
    let next: number | undefined = before.nextIdx
    const end = before.nextIdx + runPatterns
    while (next !== undefined && next < end) {
      const step = await migrateTiers(queries, spaceId, clock.now(), next, stepPatterns)
      moved += step.moved
      next = step.next
      await yieldToEventLoop()
      // Reads the moved patterns into this process's copy step by step: all at once would be one long read.
      if (step.moved > 0) await spaces.refresh(spaceId)
    }
    const isWhole = next === undefined
    await lease.keep(async (trx) => {
      if (next === undefined) return recordDone(trx, spaceId, task, clock.now())
      await recordBegun(trx, spaceId, task, clock.now())
      await recordProgress(trx, spaceId, task, { nextIdx: next, consolidated: before.consolidated + moved })
    })
    const ms = Math.round(performance.now() - started)
    log.info({ spaceId, moved, whole: isWhole, ms }, 'tiers of a space migrated')
    return isWhole ? 'done' : 'unfinished'
  })
}
