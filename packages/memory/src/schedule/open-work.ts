import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { openCaches } from '../caches.ts'
import type { Compute } from '../compute.ts'
import { searchShardMany } from '../index/search-shard.ts'
import type { SpaceWork } from './scheduled-run.ts'

/**
 * The context of background work in a process that answers no requests. It holds a space in memory only while tasks of it run.
 * Other processes notice its changes by the space's version.
 * @param parts.budgetBytes memory for the keys of a space; those of a larger space are held in lower tiers
 */
export function openSpaceWork(
  parts: Pick<SpaceWork, 'queries' | 'clock' | 'log' | 'versionsKept'> & { budgetBytes: number },
): SpaceWork {
  const { queries, clock, log, versionsKept, budgetBytes } = parts
  const { spaces, learned, learning } = openCaches({
    ...{ queries, clock, log },
    indexBudgetBytes: budgetBytes,
    // No answers are given, so no payloads are cached.
    payloadBudgetBytes: 1,
  })
  /** How many tasks of a space run now. */
  const running = new Map<string, number>()
  return {
    ...{ queries, clock, log, versionsKept, spaces, learned, learning },
    compute: searchHere,
    holding: async (spaceId, work) => {
      running.set(spaceId, (running.get(spaceId) ?? 0) + 1)
      try {
        await work()
      } finally {
        const others = (running.get(spaceId) as number) - 1
        if (others > 0) running.set(spaceId, others)
        else {
          running.delete(spaceId)
          spaces.release(spaceId)
          learned.drop(spaceId)
        }
      }
    },
  }
}

/** Searches in the calling thread, since this process has no requests to keep waiting. */
const searchHere: Pick<Compute, 'searchMany'> = {
  async searchMany(_requester, shard, queries, search) {
    await yieldToEventLoop()
    return searchShardMany(shard.target, queries, search)
  },
}
