import { parameters } from '../../engine/parameters.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queries } from '../../platform/database/database.ts'
import { promoteAccessed } from './migrate-tiers.ts'
import { recordAccesses } from './tier-store.ts'

const { promotingRanks } = parameters.tiers

/**
 * Patterns counted in one statement, which holds off whoever stores in the space, and in the embedded database
 * everybody, for 8 to 15 us each.
 */
const countedAtOnce = 250

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
      this.#add(spaceId, idx, { count: 1, beforeTop: rank <= promotingRanks ? 0 : undefined })
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
    try {
      for (const [spaceId, patterns] of pending) {
        await this.#count(spaceId, patterns, at)
        pending.delete(spaceId)
      }
    } catch (error) {
      this.#restore(pending)
      throw error
    }
  }

  /** Counts the patterns of a space; those that are counted are taken out. */
  async #count(spaceId: string, patterns: Map<number, Accesses>, at: Date): Promise<void> {
    const all = [...patterns]
    for (let first = 0; first < all.length; first += countedAtOnce) {
      const some = new Map(all.slice(first, first + countedAtOnce))
      const counts = new Map(Array.from(some, ([idx, { count }]) => [idx, count]))
      const isLast = first + countedAtOnce >= all.length
      const states = await recordAccesses(this.#queries, spaceId, counts, at, isLast)
      // What is counted must not be counted again, whatever becomes of a promotion: the next access makes up for it.
      for (const idx of some.keys()) patterns.delete(idx)
      const beforeTop = (idx: number) => some.get(idx)?.beforeTop
      await promoteAccessed({ queries: this.#queries }, spaceId, at, states, beforeTop)
    }
  }

  /** What was not written comes before what has been recorded since. */
  #restore(unwritten: Map<string, Map<number, Accesses>>): void {
    const since = this.#spaces
    this.#spaces = new Map()
    for (const spaces of [unwritten, since]) {
      for (const [spaceId, patterns] of spaces) {
        for (const [idx, accesses] of patterns) this.#add(spaceId, idx, accesses)
      }
    }
  }

  /** Adds accesses that came after those that are there. */
  #add(spaceId: string, idx: number, { count, beforeTop }: Accesses): void {
    let patterns = this.#spaces.get(spaceId)
    if (patterns === undefined) {
      patterns = new Map()
      this.#spaces.set(spaceId, patterns)
    }
    const before = patterns.get(idx)
    if (before === undefined) {
      patterns.set(idx, { count, beforeTop })
      return
    }
    if (beforeTop !== undefined) before.beforeTop = before.count + beforeTop
    before.count += count
  }
}
