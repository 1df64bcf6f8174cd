import type { SpaceTask } from '@memory/engine/sleep/schedule'
import { exploreSpace } from '../exploration/explore-space.ts'
import { sleepSpace } from '../sleep/sleep-space.ts'
import { migrateSpaceTiers } from '../tiers/migrate-space-tiers.ts'
import { recordUses } from './schedule.ts'
import { listDue } from './schedule-store.ts'
import type { RunOutcome, SpaceWork } from './scheduled-run.ts'

/** Tasks that are looked up at once. */
const dueAtOnce = 50

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

/** Records what spaces were used. @returns what is due for them, as far as it is looked up at once */
export async function listDueTasks({ queries, clock }: SpaceWork): Promise<DueTask[]> {
  await recordUses(queries)
  return listDue(queries, clock.now(), dueAtOnce)
}

/** Does a task of a space to its end, or until the process is about to end: then it is due again. */
export async function runTask(
  context: SpaceWork,
  { spaceId, task }: DueTask,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await runs[task](context, spaceId)) === 'unfinished') {
    // A part of it is done and kept.
  }
}
