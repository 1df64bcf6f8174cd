import { parameters } from '@memory/engine/parameters'
import type { SpaceTask } from '@memory/engine/sleep/schedule'
import { exploreSpace } from '../exploration/explore-space.ts'
import { sleepSpace } from '../sleep/sleep-space.ts'
import { migrateSpaceTiers } from '../tiers/migrate-space-tiers.ts'
import { recordUses } from './schedule.ts'
import { listDue } from './schedule-store.ts'
import type { RunOutcome, SpaceWork } from './scheduled-run.ts'

const { turnMs } = parameters.schedule

/** How many due tasks of each kind are listed at once: more than workers do until they are listed again, a minute later. */
const dueAtOnce = 200

const runs: Readonly<Record<SpaceTask, (context: SpaceWork, spaceId: string) => Promise<RunOutcome>>> = {
  sleep: sleepSpace,
  explore: exploreSpace,
  migrate_tiers: migrateSpaceTiers,
}

/** A task of a space that is due. */
export interface DueTask {
  spaceId: string
  task: SpaceTask
}

/** Records which spaces were used, which makes tasks due. @returns tasks that are due now, up to `dueAtOnce` of each kind */
export async function listDueTasks(context: SpaceWork): Promise<DueTask[]> {
  await recordUses(context)
  return listDue(context.queries, context.clock.now(), dueAtOnce)
}

/**
 * Runs a task until it is complete. The rest stays due when the process is about to end, and when others wait for their turn
 * after `turnMs`: a large space may take hours, and theirs take seconds.
 * @param othersWait whether other tasks wait for this one to end
 */
export async function runTask(
  context: SpaceWork,
  { spaceId, task }: DueTask,
  signal: AbortSignal,
  othersWait: () => Promise<boolean> = async () => false,
): Promise<void> {
  const toTheEnd = async () => {
    // From the end of the first run on, which has read the space: the next turn has to read it again.
    let began: number | undefined
    // Each run does a bounded part and saves its progress.
    while (!signal.aborted && (await runs[task](context, spaceId)) === 'unfinished') {
      began ??= performance.now()
      if (performance.now() - began >= turnMs && (await othersWait())) return
    }
  }
  await (context.holding === undefined ? toTheEnd() : context.holding(spaceId, toTheEnd))
}
