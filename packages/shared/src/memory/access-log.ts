import type { Clock } from '../platform/clock.ts'
import type { Queries } from '../platform/database/database.ts'
import * as store from './store.ts'

/**
 * Counts which patterns were in answers, off the requests' path. `flush`, called each second, writes one statement a
 * space; what fails to be written is tried again with the next.
 */
export class AccessLog {
  readonly #queries: Queries
  readonly #clock: Clock
  #counts = new Map<string, Map<number, number>>()

  constructor(queries: Queries, clock: Clock) {
    this.#queries = queries
    this.#clock = clock
  }

  record(spaceId: string, indexes: Iterable<number>): void {
    let counts = this.#counts.get(spaceId)
    if (counts === undefined) {
      counts = new Map()
      this.#counts.set(spaceId, counts)
    }
    for (const idx of indexes) counts.set(idx, (counts.get(idx) ?? 0) + 1)
  }

  async flush(): Promise<void> {
    const pending = this.#counts
    this.#counts = new Map()
    const at = this.#clock.now()
    for (const [spaceId, counts] of pending) {
      try {
        await store.recordAccesses(this.#queries, spaceId, counts, at)
        pending.delete(spaceId)
      } catch (error) {
        this.#restore(pending)
        throw error
      }
    }
  }

  #restore(unwritten: Map<string, Map<number, number>>): void {
    for (const [spaceId, counts] of unwritten) {
      for (const [idx, count] of counts) {
        const merged = this.#counts.get(spaceId) ?? new Map<number, number>()
        merged.set(idx, (merged.get(idx) ?? 0) + count)
        this.#counts.set(spaceId, merged)
      }
    }
  }
}
