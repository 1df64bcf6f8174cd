import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { openCaches } from '../caches.ts'
import type { Compute } from '../compute.ts'
import { searchShardMany } from '../index/search-shard.ts'
import type { SpaceWork } from './scheduled-run.ts'

/**
 * The context of background work in a process that answers no requests. It opens a space for a run and releases it afterwards, so
 * it holds one space in memory at a time. Other processes notice its changes by the space's version.
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
  return {
    ...{ queries, clock, log, versionsKept, spaces, learned, learning },
    compute: searchHere,
    release: (spaceId) => {
      spaces.release(spaceId)
      learned.drop(spaceId)
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
