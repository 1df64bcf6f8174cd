import type { SpaceTask } from '../../engine/sleep/schedule.ts'
import { consolidateSpace } from './consolidate-space.ts'
import { exploreSpace } from './explore-space.ts'
import { migrateSpaceTiers } from './migrate-space-tiers.ts'
import { noteUses } from './schedule.ts'
import { listDue, nameOf } from './schedule-store.ts'
import type { RunOutcome, SpaceWork } from './scheduled-run.ts'

/** Tasks that are looked up at once. */
const dueAtOnce = 50

const runs: Readonly<Record<SpaceTask, (context: SpaceWork, spaceId: string) => Promise<RunOutcome>>> = {
  sleep: consolidateSpace,
  explore: exploreSpace,
  migrate_tiers: migrateSpaceTiers,
}

/** A task of a space that is due. */
export interface DueTask {
  spaceId: string
  task: SpaceTask
}

/** Notes what spaces were used. @returns what is due for them, as far as it is looked up at once */
export async function listDueTasks({ queries, clock }: SpaceWork): Promise<DueTask[]> {
  await noteUses(queries)
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

/**
 * Notes what spaces were used, and does what is due for them, one after the other, until nothing is or the process is
 * about to end. Several processes share the work: who comes second finds the space taken, or nothing due.
 */
export async function runDueTasks(context: SpaceWork, signal: AbortSignal): Promise<void> {
  const { queries, clock } = context
  await noteUses(queries)
  const ended = new Set<string>()
  for (;;) {
    const due = await listDue(queries, clock.now(), dueAtOnce)
    // One that has ended and is due all the same waits for the next time.
    const open = due.filter(({ spaceId, task }) => !ended.has(nameOf(spaceId, task)))
    if (open.length === 0) return
    for (const { spaceId, task } of open) {
      if (signal.aborted) return
      // A failure is logged, and put off: the others go on.
      const outcome = await runs[task](context, spaceId).catch(() => 'failed' as const)
      if (outcome !== 'unfinished') ended.add(nameOf(spaceId, task))
    }
  }
}
