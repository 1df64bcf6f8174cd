import type { Queries } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { Payload, Payloads } from '../patterns/pattern-cache.ts'
import * as store from '../store.ts'

/**
 * The memory for a caller who is bound to an end user. Contents of patterns are always read from the database, under row level
 * security, and never from caches that hold everybody's: searches use those only to find the idx of patterns.
 * @param queries a connection that sees only what the end user may see
 */
export function boundMemory(memory: MemoryContext, queries: Queries): MemoryContext {
  return {
    ...memory,
    queries,
    payloads: payloadsUnder(queries, memory.payloads),
    // Speculative searches start before the caller is known, over everybody's patterns.
    speculativeSearches: { begin: () => {}, take: () => undefined },
  }
}

function payloadsUnder(queries: Queries, payloads: Payloads): Payloads {
  return {
    find: async (spaceId, _index, indexes, { value }) => {
      if (indexes.length === 0) return new Map<number, Payload>()
      const rows = await store.findPayloads(queries, spaceId, Array.from(indexes), value)
      return new Map(rows.map((row) => [row.idx, row]))
    },
    warm: async () => 0,
    // What this caller stores may go into the cache, for other callers.
    keep: (index: SpaceIndex, stored) => payloads.keep(index, stored),
    indexesOf: () => [],
    hasValue: () => false,
    clear: () => 0,
    size: payloads.size,
  }
}
