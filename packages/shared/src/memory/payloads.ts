import { LRUCache } from 'lru-cache'
import type { Hits } from '../engine/kernels/kernels.ts'
import type { Queries } from '../platform/database/database.ts'
import type { SpaceIndex } from './index/space-index.ts'
import * as store from './store.ts'

/** What answers show of a pattern. */
export type Payload = store.PayloadRow

/** Object, key and list overhead of an entry, in bytes. */
const entryBytes = 400

/**
 * What answers show of patterns, kept within a memory budget. An entry is as new as the index beside it: a change that
 * the index learns of evicts it, so what a request gets is never older than the version that it was authenticated at.
 */
export class PayloadCache {
  readonly #queries: Queries
  readonly #entries: LRUCache<string, Payload>
  readonly #onLookup: (hits: number, misses: number) => void

  constructor(options: {
    queries: Queries
    budgetBytes: number
    onLookup?: (hits: number, misses: number) => void
  }) {
    this.#queries = options.queries
    this.#onLookup = options.onLookup ?? (() => {})
    this.#entries = new LRUCache({
      maxSize: options.budgetBytes,
      sizeCalculation: ({ text, metadata, value }) =>
        entryBytes + 2 * ((text?.length ?? 0) + (metadata?.length ?? 0)) + (value?.length ?? 0),
    })
  }

  get size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize }
  }

  /**
   * Payloads by idx, with values when asked for; a pattern that is deleted or expired by now may be missing. What is
   * not in memory is read in one round trip.
   */
  async find(
    spaceId: string,
    index: SpaceIndex,
    indexes: ArrayLike<number>,
    { value }: { value: boolean },
  ): Promise<Map<number, Payload>> {
    const found = new Map<number, Payload>()
    const missing: number[] = []
    for (let i = 0; i < indexes.length; i++) {
      const idx = indexes[i] as number
      const entry = this.#entries.get(keyOf(index, idx))
      if (entry === undefined || (value && entry.value === null)) missing.push(idx)
      else found.set(idx, entry)
    }
    this.#onLookup(found.size, missing.length)
    if (missing.length === 0) return found
    const { version } = index
    for (const payload of await store.findPayloads(this.#queries, spaceId, missing, value)) {
      found.set(payload.idx, payload)
      // What was read may be from before a change that the index has learnt of meanwhile.
      if (index.version === version) this.#entries.set(keyOf(index, payload.idx), payload)
    }
    return found
  }

  /** Drops what is known of a pattern that has changed. */
  evict(index: SpaceIndex, idx: number): void {
    this.#entries.delete(keyOf(index, idx))
  }
}

/** The patterns of an answer: those that were found and are still there. */
export function answered(
  { labels, scores }: Hits,
  there: ReadonlyMap<number, unknown>,
): { idx: number; cosine: number }[] {
  return Array.from(labels, (idx, i) => ({ idx, cosine: scores[i] as number })).filter(({ idx }) =>
    there.has(idx),
  )
}

/** An index that was dropped leaves entries that nobody finds; they are the first to go. */
function keyOf(index: SpaceIndex, idx: number): string {
  return `${index.id}/${idx}`
}
