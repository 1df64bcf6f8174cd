import { parameters } from '@memory/engine/parameters'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import { Failures } from '../spaces/failures.ts'
import { countKept, listKept, recordAccesses } from './access-store.ts'
import { addAccesses, countsOf, inParts, type PatternAccesses } from './accesses.ts'
import { KeptAccesses } from './kept-accesses.ts'
import { promoteAccessed } from './migrate-tiers.ts'

const { promotingRanks } = parameters.tiers

/**
 * Patterns counted in one statement. It blocks writers of the space, and in the embedded database everybody, for 20 to 35 us per
 * pattern, and three times as long if most are used for the first time, since that adds rows.
 */
const countedAtOnce = 100
/**
 * If a second brings more than `countedAtOnce` patterns of a space, accesses are kept for this long, summed up, and then counted:
 * a pattern that is used repeatedly is so counted once.
 */
const keptMs = 30_000
/** Kept accesses older than this belong to a process that is gone, or late. They are looked for at this interval. */
const leftAfterMs = 3 * keptMs
/** How many such rows are read at once. */
const leftAtOnce = 100
/** How much of each second may go into counting kept accesses, and as much into those that other processes have left. */
const countingMs = 250

/**
 * Records which patterns were in answers. Requests record them in memory. `keep`, called each second, writes them to the
 * database: few at once are counted directly, which also moves the first patterns of answers up a tier; many are only kept there
 * as they are, and counted later in sum (see `KeptAccesses`). What fails to be written is tried again with the next.
 */
export class AccessLog {
  readonly #queries: Queries
  readonly #clock: Clock
  readonly #lowPriority: LowPriorityQueue
  /** Accesses in memory that are not in the database yet, by space. */
  readonly #spaces = new Map<string, PatternAccesses>()
  /** Accesses in the database that are not counted yet, by space. */
  readonly #kept = new Map<string, KeptAccesses>()
  /** When to look next for rows that other processes have left behind (`atMs`): those kept before `beforeMs`. */
  #look: { atMs: number; beforeMs: number } | undefined
  /** How often it was looked for these rows. */
  #looks = 0

  constructor(queries: Queries, clock: Clock, lowPriority = LowPriorityQueue.steady()) {
    this.#queries = queries
    this.#clock = clock
    this.#lowPriority = lowPriority
  }

  /** Records an answer. @param answer the idx of its patterns, best first */
  record(spaceId: string, answer: Iterable<number>): void {
    const patterns: PatternAccesses = this.#spaces.get(spaceId) ?? new Map()
    this.#spaces.set(spaceId, patterns)
    let rank = 0
    for (const idx of answer) {
      rank++
      addAccesses(patterns, idx, { count: 1, beforeTop: rank <= promotingRanks ? 0 : undefined })
    }
  }

  /** The idx of patterns of a space whose accesses are not counted yet; those of the last second come last. */
  uncounted(spaceId: string): number[] {
    const last = this.#spaces.get(spaceId)?.keys() ?? []
    return [...new Set([...(this.#kept.get(spaceId)?.patterns() ?? []), ...last])]
  }

  /**
   * Writes what was recorded: counts it, or keeps it to be counted later.
   * @throws the first failure, after all spaces were tried; at once if the database can't be reached
   */
  async keep(): Promise<void> {
    const at = this.#clock.now()
    const failures = new Failures()
    await this.#write(at, false, failures)
    const keptBy = new Date(at.getTime() - keptMs)
    for (const kept of this.#kept.values()) if (kept.isDue(keptBy)) await this.#fold(kept, at, failures)
    const endsAt = performance.now() + countingMs
    await this.#countKept(at, endsAt, failures)
    await this.#countLeft(at, failures)
    failures.report()
  }

  /** Counts everything that was recorded. @throws as `keep` */
  async flush(): Promise<void> {
    const at = this.#clock.now()
    const failures = new Failures()
    await this.#write(at, true, failures)
    for (const kept of this.#kept.values()) await this.#fold(kept, at, failures)
    await this.#countKept(at, Infinity, failures)
    failures.report()
  }

  /** Writes what is in memory, space by space. @param isCounted whether to count it at once, however much it is */
  async #write(at: Date, isCounted: boolean, failures: Failures): Promise<void> {
    const spaceIds = [...this.#spaces.keys()]
    for (const spaceId of spaceIds) {
      const patterns: PatternAccesses = this.#spaces.get(spaceId) ?? new Map()
      this.#spaces.delete(spaceId)
      await failures.attempt(async () => {
        try {
          const isKept = this.#kept.has(spaceId) || (!isCounted && patterns.size > countedAtOnce)
          if (isKept) await this.#keep(spaceId, patterns, at)
          else await this.#count(spaceId, patterns, at, spaceId === spaceIds.at(-1))
        } catch (error) {
          // What could not be written goes back, before what was recorded since.
          const since = this.#spaces.get(spaceId) ?? []
          for (const [idx, accesses] of since) addAccesses(patterns, idx, accesses)
          this.#spaces.set(spaceId, patterns)
          throw error
        }
      })
    }
  }

  /**
   * Counts the accesses of a space, and removes the counted ones from `patterns`.
   * @param isLast whether no other commit follows, which would bring this one to the disk too
   */
  async #count(spaceId: string, patterns: PatternAccesses, at: Date, isLast: boolean): Promise<void> {
    for (const some of inParts(patterns, countedAtOnce)) {
      const isDurable = isLast && some.size === patterns.size
      await this.#lowPriority.run(async () => {
        const states = await recordAccesses(this.#queries, spaceId, countsOf(some), at, isDurable)
        // Removed before promoting: if promotion fails, nothing may be counted twice. The next access will promote.
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

  #fold(kept: KeptAccesses, at: Date, failures: Failures): Promise<void> {
    return failures.attempt(() => this.#lowPriority.run(() => kept.fold(at)))
  }

  /** Counts kept accesses in parts, one part of each space in turn, until the time `endsAt` (`performance.now`). */
  async #countKept(at: Date, endsAt: number, failures: Failures): Promise<void> {
    for (let spaces = [...this.#kept]; spaces.length > 0; ) {
      const withMore: typeof spaces = []
      for (const [spaceId, kept] of spaces) {
        if (performance.now() >= endsAt) return
        // Moved to the end, so that where the time is over the next call begins with the other spaces.
        this.#kept.delete(spaceId)
        this.#kept.set(spaceId, kept)
        const hasCounted = await failures.attempt(() => this.#lowPriority.run(() => kept.countPart(at)))
        if (kept.isEmpty) this.#kept.delete(spaceId)
        else if (hasCounted) withMore.push([spaceId, kept])
      }
      spaces = withMore
    }
  }

  /**
   * Counts what processes that are gone have kept, for `countingMs` and one row at least. The first call takes all that is there,
   * later ones only old rows.
   */
  async #countLeft(at: Date, failures: Failures): Promise<void> {
    const now = at.getTime()
    this.#look ??= { atMs: now, beforeMs: now }
    if (now < this.#look.atMs) return
    const left = await listKept(this.#queries, new Date(this.#look.beforeMs), leftAtOnce)
    const endsAt = performance.now() + countingMs
    // From another row on each time: those of a space that is locked would take the time of all others.
    const first = this.#looks++ % Math.max(1, left.length)
    for (const row of [...left.slice(first), ...left.slice(0, first)]) {
      await failures.attempt(() => this.#lowPriority.run(() => countKept(this.#queries, row)))
      if (performance.now() >= endsAt) return
    }
    if (left.length < leftAtOnce) this.#look = { atMs: now + leftAfterMs, beforeMs: now }
  }
}
