import { parameters } from '../engine/parameters.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queries } from '../platform/database/database.ts'
import { promoteAccessed } from './migrate-tiers.ts'
import { recordAccesses } from './tier-store.ts'

const { promotingRanks } = parameters.tiers

/** How a pattern was in the answers of about a second. */
interface Accesses {
  count: number
  /** How many of them came before the last one among an answer's first patterns; undefined without such a one. */
  beforeTop: number | undefined
}

/**
 * Notes which patterns were in answers, off the requests' path. `flush`, called each second, counts them, and moves up
 * a tier those that were among an answer's first; what fails to be counted is tried again with the next.
 */
export class AccessLog {
  readonly #queries: Queries
  readonly #clock: Clock
  #spaces = new Map<string, Map<number, Accesses>>()

  constructor(queries: Queries, clock: Clock) {
    this.#queries = queries
    this.#clock = clock
  }

  /** @param answer the patterns of one answer, best first */
  record(spaceId: string, answer: Iterable<number>): void {
    let rank = 0
    for (const idx of answer) {
      rank++
      add(this.#patternsOf(spaceId), idx, { count: 1, beforeTop: rank <= promotingRanks ? 0 : undefined })
    }
  }

  /** Patterns of a space that were in answers and are not counted yet, in no order. */
  uncounted(spaceId: string): number[] {
    return [...(this.#spaces.get(spaceId)?.keys() ?? [])]
  }

  async flush(): Promise<void> {
    const pending = this.#spaces
    this.#spaces = new Map()
    const at = this.#clock.now()
    for (const [spaceId, patterns] of pending) {
      try {
        const counts = new Map(Array.from(patterns, ([idx, { count }]) => [idx, count]))
        const states = await recordAccesses(this.#queries, spaceId, counts, at)
        // What is counted must not be counted again, whatever becomes of a promotion: the next access makes up for it.
        pending.delete(spaceId)
        await promoteAccessed(
          { queries: this.#queries },
          spaceId,
          at,
          states,
          (idx) => patterns.get(idx)?.beforeTop,
        )
      } catch (error) {
        this.#restore(pending)
        throw error
      }
    }
  }

  #patternsOf(spaceId: string): Map<number, Accesses> {
    let patterns = this.#spaces.get(spaceId)
    if (patterns === undefined) {
      patterns = new Map()
      this.#spaces.set(spaceId, patterns)
    }
    return patterns
  }

  /** What was not written comes before what has been recorded since. */
  #restore(unwritten: Map<string, Map<number, Accesses>>): void {
    for (const [spaceId, patterns] of unwritten) {
      const since = this.#patternsOf(spaceId)
      for (const [idx, accesses] of since) add(patterns, idx, accesses)
      this.#spaces.set(spaceId, patterns)
    }
  }
}

/** Adds accesses that came after those that are there. */
function add(patterns: Map<number, Accesses>, idx: number, { count, beforeTop }: Accesses): void {
  const before = patterns.get(idx) ?? { count: 0, beforeTop: undefined }
  patterns.set(idx, {
    count: before.count + count,
    beforeTop: beforeTop === undefined ? before.beforeTop : before.count + beforeTop,
  })
}
