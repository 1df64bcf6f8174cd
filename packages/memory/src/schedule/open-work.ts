import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { openCaches } from '../caches.ts'
import type { Compute } from '../compute.ts'
import { searchShardMany } from '../index/search-shard.ts'
import type { SpaceWork } from './scheduled-run.ts'

/**
 * What a process needs for background work on spaces that answers no requests: it opens a space for a run and lets go of
 * it afterwards, so that its memory is that of one space. Others learn by versions what it has changed.
 * @param parts.budgetBytes of memory for the vectors of a space; a larger one is held in smaller tiers
 */
export function openSpaceWork(
  parts: Pick<SpaceWork, 'queries' | 'clock' | 'log' | 'versionsKept'> & { budgetBytes: number },
): SpaceWork {
  const { queries, clock, log, versionsKept, budgetBytes } = parts
  const { spaces, learned, learning } = openCaches({
    ...{ queries, clock, log },
    indexBudgetBytes: budgetBytes,
    // No answers are given.
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

/** Searches in the thread that asks: nobody waits for answers here. */
const searchHere: Pick<Compute, 'searchMany'> = {
  async searchMany(_requester, shard, queries, search) {
    await yieldToEventLoop()
    return searchShardMany(shard.target, queries, search)
  },
}
