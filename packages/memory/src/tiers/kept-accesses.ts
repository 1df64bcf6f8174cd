import type { Queries } from '@memory/shared/platform/database/database'
import { countKept, keepAccesses, replaceKept } from './access-store.ts'
import { addAccesses, countsOf, inParts, type PatternAccesses } from './accesses.ts'
import { promoteAccessed } from './migrate-tiers.ts'

/** Patterns per row. Another process that finds the row left behind counts it in one statement. */
const keptAtOnce = 2_000

/** Rows that are not folded yet, at least one. */
interface UnfoldedRows {
  ids: number[]
  sum: PatternAccesses
  /** When the first of them was stored. */
  since: Date
}

/**
 * Accesses of a space that are stored in the database as rows, but not counted yet. `add` stores rows; `fold` replaces them by
 * rows of their sum, the parts; `countPart` counts a part.
 */
export class KeptAccesses {
  readonly #queries: Queries
  readonly #spaceId: string
  readonly #partSize: number
  #unfolded: UnfoldedRows | undefined
  /** Rows that are ready to be counted, one by one. */
  #parts: { id: number; patterns: PatternAccesses }[] = []

  /** @param partSize patterns counted in one statement */
  constructor(queries: Queries, spaceId: string, partSize: number) {
    this.#queries = queries
    this.#spaceId = spaceId
    this.#partSize = partSize
  }

  /** Whether it is time to fold: rows have waited since `keptBy`, and all earlier parts are counted. */
  isDue(keptBy: Date): boolean {
    return this.#parts.length === 0 && this.#unfolded !== undefined && this.#unfolded.since <= keptBy
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0 && this.#unfolded === undefined
  }

  /** The idx of all patterns, earlier ones first. A pattern may come twice. */
  *patterns(): Generator<number> {
    for (const { patterns } of this.#parts) yield* patterns.keys()
    yield* this.#unfolded?.sum.keys() ?? []
  }

  /** Stores accesses as rows, and removes them from `accesses` as they are stored. */
  async add(accesses: PatternAccesses, at: Date): Promise<void> {
    for (const part of inParts(accesses, keptAtOnce)) {
      const id = await keepAccesses(this.#queries, this.#spaceId, countsOf(part), at)
      for (const idx of part.keys()) accesses.delete(idx)
      if (id === undefined) continue
      this.#unfolded ??= { ids: [], sum: new Map(), since: at }
      this.#unfolded.ids.push(id)
      for (const [idx, each] of part) addAccesses(this.#unfolded.sum, idx, each)
    }
  }

  /** Replaces the rows by parts that hold their sum. */
  async fold(at: Date): Promise<void> {
    if (this.#unfolded === undefined) return
    const { ids, sum } = this.#unfolded
    const ascending = new Map([...sum].sort(([a], [b]) => a - b))
    const parts = [...inParts(ascending, this.#partSize)]
    const foldedIds = await replaceKept(this.#queries, this.#spaceId, ids, parts.map(countsOf), at)
    // Without them, another process has counted some of the rows as left behind: the rest is counted as it is.
    const folded =
      foldedIds?.map((id, i) => ({ id, patterns: parts[i] as PatternAccesses })) ??
      ids.map((id) => ({ id, patterns: sum }))
    this.#parts.push(...folded)
    this.#unfolded = undefined
  }

  /** Counts the next part; it stays if that fails. @returns false if there is none */
  async countPart(at: Date): Promise<boolean> {
    const [part] = this.#parts
    if (part === undefined) return false
    const states = await countKept(this.#queries, { spaceId: this.#spaceId, id: part.id })
    // Removed before promoting, since the row is counted now. If promotion fails, the next access will promote.
    this.#parts.shift()
    await promoteAccessed(this.#queries, this.#spaceId, at, states, part.patterns)
    return true
  }
}
