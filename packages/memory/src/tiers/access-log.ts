import { parameters } from '@memory/engine/parameters'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import { countKept, listKept, recordAccesses } from './access-store.ts'
import { addAccesses, countsOf, inParts, type PatternAccesses } from './accesses.ts'
import { KeptAccesses } from './kept-accesses.ts'
import { promoteAccessed } from './migrate-tiers.ts'

const { promotingRanks } = parameters.tiers

/**
 * Patterns counted in one statement, which holds off whoever stores in the space, and in the embedded database
 * everybody: for 20 to 35 us each, and three times as long where most are used the first time, which is written on them.
 */
const countedAtOnce = 100
/** Where a second brings more than one statement counts, so long is what it brought kept, and then its sum counted. */
const keptMs = 30_000
/** What was kept longer ago belongs to a process that is gone, or late; it is looked for as often. */
const leftAfterMs = 3 * keptMs
/** Rows looked for at a time. */
const leftAtOnce = 100
/** Of each second, what is kept is counted for so long: what is recorded meanwhile waits to be written down. */
const countingMs = 250

/**
 * Records which patterns were in answers, off the requests' path. `keep`, called each second, writes them down: it counts
 * them, and moves up a tier those that were among an answer's first, or keeps them in the database until it is worth
 * while. What fails to be written is tried again with the next.
 */
export class AccessLog {
  readonly #queries: Queries
  readonly #clock: Clock
  readonly #lowPriority: LowPriorityQueue
  readonly #spaces = new Map<string, PatternAccesses>()
  readonly #kept = new Map<string, KeptAccesses>()
  /** When to look for rows that are left behind, and before when those were kept. */
  #look: { atMs: number; beforeMs: number } | undefined

  constructor(queries: Queries, clock: Clock, lowPriority = LowPriorityQueue.steady()) {
    this.#queries = queries
    this.#clock = clock
    this.#lowPriority = lowPriority
  }

  /** @param answer the patterns of one answer, best first */
  record(spaceId: string, answer: Iterable<number>): void {
    const patterns = this.#patternsOf(spaceId)
    let rank = 0
    for (const idx of answer) {
      rank++
      addAccesses(patterns, idx, { count: 1, beforeTop: rank <= promotingRanks ? 0 : undefined })
    }
  }

  /** Patterns of a space that were in answers and are not counted yet, those of the last second at the end. */
  uncounted(spaceId: string): number[] {
    const last = this.#spaces.get(spaceId)?.keys() ?? []
    return [...new Set([...(this.#kept.get(spaceId)?.patterns() ?? []), ...last])]
  }

  /** Writes down what was recorded. */
  async keep(): Promise<void> {
    const at = this.#clock.now()
    await this.#write(at, false)
    const keptBy = new Date(at.getTime() - keptMs)
    for (const kept of this.#kept.values()) {
      if (kept.isDue(keptBy)) await this.#lowPriority.run(() => kept.fold(at))
    }
    const endsAt = performance.now() + countingMs
    await this.#countKept(at, endsAt)
    await this.#countLeft(at, endsAt)
  }

  /** Counts all that was recorded. */
  async flush(): Promise<void> {
    const at = this.#clock.now()
    await this.#write(at, true)
    for (const kept of this.#kept.values()) await this.#lowPriority.run(() => kept.fold(at))
    await this.#countKept(at, Infinity)
  }

  /** Space by space; what is recorded meanwhile of those still to come is written with them. */
  async #write(at: Date, isCounted: boolean): Promise<void> {
    const spaceIds = [...this.#spaces.keys()]
    for (const spaceId of spaceIds) {
      const patterns = this.#spaces.get(spaceId) ?? new Map()
      this.#spaces.delete(spaceId)
      try {
        const isKept = this.#kept.has(spaceId) || (!isCounted && patterns.size > countedAtOnce)
        if (isKept) await this.#keep(spaceId, patterns, at)
        else await this.#count(spaceId, patterns, at, spaceId === spaceIds.at(-1))
      } catch (error) {
        this.#restore(spaceId, patterns)
        throw error
      }
    }
  }

  /**
   * Counts the patterns of a space; those that are counted are taken out.
   * @param isLast whether nothing follows that brings to the disk what is counted
   */
  async #count(spaceId: string, patterns: PatternAccesses, at: Date, isLast: boolean): Promise<void> {
    for (const some of inParts(patterns, countedAtOnce)) {
      const isDurable = isLast && some.size === patterns.size
      await this.#lowPriority.run(async () => {
        const states = await recordAccesses(this.#queries, spaceId, countsOf(some), at, isDurable)
        // What is counted must not be counted again, whatever becomes of a promotion: the next access makes up for it.
        for (const idx of some.keys()) patterns.delete(idx)
        await promoteAccessed(this.#queries, spaceId, at, states, some)
      })
    }
  }

  #keep(spaceId: string, patterns: PatternAccesses, at: Date): Promise<void> {
    const kept = this.#kept.get(spaceId) ?? new KeptAccesses(this.#queries, spaceId, countedAtOnce)
    this.#kept.set(spaceId, kept)
    return this.#lowPriority.run(() => kept.add(patterns, at))
  }

  /** Counts parts of what is kept, one of each space in turn. */
  async #countKept(at: Date, endsAt: number): Promise<void> {
    for (const [spaceId, kept] of this.#kept) {
      if (performance.now() >= endsAt) return
      const hasCounted = await this.#lowPriority.run(() => kept.countPart(at))
      if (hasCounted || kept.isEmpty) this.#kept.delete(spaceId)
      if (!hasCounted) continue
      // Behind the others, to which this iteration comes first.
      if (!kept.isEmpty) this.#kept.set(spaceId, kept)
    }
  }

  /** Counts what processes have kept that are gone: all that is there the first time, later what is old. */
  async #countLeft(at: Date, endsAt: number): Promise<void> {
    const now = at.getTime()
    this.#look ??= { atMs: now, beforeMs: now }
    if (now < this.#look.atMs) return
    const left = await listKept(this.#queries, new Date(this.#look.beforeMs), leftAtOnce)
    for (const row of left) {
      if (performance.now() >= endsAt) return
      await this.#lowPriority.run(() => countKept(this.#queries, row))
    }
    if (left.length < leftAtOnce) this.#look = { atMs: now + leftAfterMs, beforeMs: now }
  }

  /** What was not written comes before what has been recorded since. */
  #restore(spaceId: string, unwritten: PatternAccesses): void {
    const since = this.#spaces.get(spaceId)
    this.#spaces.delete(spaceId)
    const all = this.#patternsOf(spaceId)
    for (const patterns of [unwritten, since ?? []]) {
      for (const [idx, accesses] of patterns) addAccesses(all, idx, accesses)
    }
  }

  #patternsOf(spaceId: string): PatternAccesses {
    let patterns = this.#spaces.get(spaceId)
    if (patterns === undefined) {
      patterns = new Map()
      this.#spaces.set(spaceId, patterns)
    }
    return patterns
  }
}
