import type { Queries } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { Shard } from '../index/shard.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'

/** Keys per statement. The embedded database takes about 8 ms for them, during which all other queries wait. */
const keysAtOnce = 100
/** Memory for the keys read from the database, in bytes. */
const budgetBytes = 64 * 2 ** 20

/**
 * Reads keys of a shard, for background work that needs the same ones repeatedly: from the shard where it holds them, else from
 * the database, remembering them within a budget. A key that is changed meanwhile may be answered as it was.
 */
export class ShardKeyReader {
  readonly #queries: Queries
  readonly #spaceId: string
  readonly #shard: Shard
  readonly #keysMax: number
  // In the order in which they were read; the oldest are removed first.
  readonly #known = new Map<number, Float32Array>()

  constructor(queries: Queries, spaceId: string, shard: Shard) {
    this.#queries = queries
    this.#spaceId = spaceId
    this.#shard = shard
    this.#keysMax = Math.ceil(budgetBytes / (4 * shard.dimensions))
  }

  /** The float32 keys by idx. Left out: patterns that are gone, or whose key now has another length. */
  async read(indexes: readonly number[]): Promise<Map<number, Float32Array>> {
    const found = new Map<number, Float32Array>()
    const missing: number[] = []
    for (const idx of indexes) {
      const known = this.#known.get(idx)
      if (known === undefined) missing.push(idx)
      else found.set(idx, known)
    }
    for (let first = 0; first < missing.length; first += keysAtOnce) {
      const labels = Int32Array.from(missing.slice(first, first + keysAtOnce))
      const { held } = this.#shard.keys(labels)
      for (const [idx, key] of await findShardKeys(this.#queries, this.#spaceId, this.#shard, labels)) {
        found.set(idx, key)
        // What the shard itself holds is not kept a second time.
        if (held[labels.indexOf(idx)] !== 1) this.#known.set(idx, key)
      }
      await yieldToEventLoop()
    }
    for (const idx of this.#known.keys()) {
      if (this.#known.size <= this.#keysMax) break
      this.#known.delete(idx)
    }
    return found
  }
}
