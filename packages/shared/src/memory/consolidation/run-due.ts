import type { SpaceTask } from '../../engine/sleep/schedule.ts'
import { consolidateSpace } from './consolidate-space.ts'
import { exploreSpace } from './explore-space.ts'
import { migrateSpaceTiers } from './migrate-space-tiers.ts'
import { noteUses } from './schedule.ts'
import { listDue } from './schedule-store.ts'
import type { RunOutcome, SpaceWork } from './scheduled-run.ts'

/** Tasks that are looked up at once. */
const dueAtOnce = 50

const runs: Readonly<Record<SpaceTask, (context: SpaceWork, spaceId: string) => Promise<RunOutcome>>> = {
  sleep: consolidateSpace,
  explore: exploreSpace,
  migrate_tiers: migrateSpaceTiers,
}

/**
 * Notes what spaces were used, and does what is due for them, one after the other, until nothing is or the process is
 * about to end. Several processes share the work: who comes second finds the space taken, or nothing due.
 */
export async function runDueTasks(context: SpaceWork, signal: AbortSignal): Promise<void> {
  await noteUses(context.queries)
  for (;;) {
    const due = await listDue(context.queries, context.clock.now(), dueAtOnce)
    for (const { spaceId, task } of due) {
      if (signal.aborted) return
      // It is logged, and put off: the others go on.
      await runs[task](context, spaceId).catch(() => {})
    }
    if (due.length === 0) return
  }
}
