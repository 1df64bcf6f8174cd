import type { Queries } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { Payload, Payloads } from '../patterns/pattern-cache.ts'
import * as store from '../store.ts'

/**
 * The memory as a caller who is bound to an end user has it. What rows hold is read from the database each time, under row
 * level security, and never taken from what this process has in memory of everybody: a search uses that for numbers of
 * patterns alone.
 * @param queries of that end user
 */
export function boundMemory(memory: MemoryContext, queries: Queries): MemoryContext {
  return {
    ...memory,
    queries,
    payloads: payloadsUnder(queries, memory.payloads),
    // What began before it was known who asks is a search of everybody's.
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
    // What it has stored, others find.
    keep: (index: SpaceIndex, stored) => payloads.keep(index, stored),
    indexesOf: () => [],
    hasValue: () => false,
    clear: () => 0,
    size: payloads.size,
  }
}
