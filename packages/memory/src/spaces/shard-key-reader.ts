import type { Queries } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { Shard } from '../index/shard.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'

/** Keys that are read from the database at once: the embedded one takes about 8 ms for them. */
const keysAtOnce = 100
/** Memory for keys that were read, in bytes. */
const budgetBytes = 64 * 2 ** 20

/**
 * Keys of a shard for work that looks at the same ones again and again: those in memory from there, others from the
 * database once, as far as they fit. A key that changes meanwhile may be the one from before.
 */
export class ShardKeyReader {
  readonly #queries: Queries
  readonly #spaceId: string
  readonly #shard: Shard
  readonly #keysMax: number
  // In the order in which they were read: the first go first.
  readonly #known = new Map<number, Float32Array>()

  constructor(queries: Queries, spaceId: string, shard: Shard) {
    this.#queries = queries
    this.#spaceId = spaceId
    this.#shard = shard
    this.#keysMax = Math.ceil(budgetBytes / (4 * shard.dimensions))
  }

  /** The float32 keys of patterns; one that is gone, or whose key has another length by now, is left out. */
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
        // What is in memory is not kept a second time.
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
