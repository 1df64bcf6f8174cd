import type { Queries } from '@memory/shared/platform/database/database'
import { countKept, keepAccesses, replaceKept } from './access-store.ts'
import { addAccesses, countsOf, inParts, type PatternAccesses } from './accesses.ts'
import { promoteAccessed } from './migrate-tiers.ts'

/** Patterns of a row as it is kept: whoever finds it left behind counts it in one statement. */
const keptAtOnce = 2_000

/** Accesses of a space that are on the disk and are not counted yet. */
export class KeptAccesses {
  readonly #queries: Queries
  readonly #spaceId: string
  readonly #partSize: number
  /** Rows as they were kept, ... */
  #ids: number[] = []
  /** ... their sum, and when the first of them was kept. */
  #sum: PatternAccesses = new Map()
  #since: Date | undefined
  /** Rows that are to be counted one by one. */
  #parts: { id: number; patterns: PatternAccesses }[] = []

  /** @param partSize patterns counted in one statement */
  constructor(queries: Queries, spaceId: string, partSize: number) {
    this.#queries = queries
    this.#spaceId = spaceId
    this.#partSize = partSize
  }

  /** Whether the first of them were kept by then, and all parts made before are counted: what comes meanwhile adds up. */
  isDue(keptBy: Date): boolean {
    return this.#parts.length === 0 && this.#since !== undefined && this.#since <= keptBy
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0 && this.#ids.length === 0
  }

  /** The patterns, in the order in which they were found first. */
  *patterns(): Generator<number> {
    for (const { patterns } of this.#parts) yield* patterns.keys()
    yield* this.#sum.keys()
  }

  /** Keeps accesses that came after those that are kept; what is kept is taken out of `accesses`. */
  async add(accesses: PatternAccesses, at: Date): Promise<void> {
    for (const part of inParts(accesses, keptAtOnce)) {
      const id = await keepAccesses(this.#queries, this.#spaceId, countsOf(part), at)
      if (id !== undefined) {
        this.#since ??= at
        this.#ids.push(id)
      }
      for (const [idx, each] of part) {
        if (id !== undefined) addAccesses(this.#sum, idx, each)
        accesses.delete(idx)
      }
    }
  }

  /** Makes parts of the sum, which then stand for the rows. */
  async fold(at: Date): Promise<void> {
    if (this.#ids.length === 0) return
    const ascending = new Map([...this.#sum].sort(([a], [b]) => a - b))
    const parts = [...inParts(ascending, this.#partSize)]
    const ids = await replaceKept(this.#queries, this.#spaceId, this.#ids, parts.map(countsOf), at)
    this.#parts.push(
      ...(ids === undefined
        ? // Somebody took some of them for left behind: the others are counted as they are.
          this.#ids.map((id) => ({ id, patterns: this.#sum }))
        : ids.map((id, i) => ({ id, patterns: parts[i] as PatternAccesses }))),
    )
    this.#ids = []
    this.#sum = new Map()
    this.#since = undefined
  }

  /** Counts the next part. What fails is still kept. @returns false where there is none */
  async countPart(at: Date): Promise<boolean> {
    const [part] = this.#parts
    if (part === undefined) return false
    const states = await countKept(this.#queries, { spaceId: this.#spaceId, id: part.id })
    // What is counted is not there any more, whatever becomes of a promotion: the next access makes up for it.
    this.#parts.shift()
    await promoteAccessed(this.#queries, this.#spaceId, at, states, part.patterns)
    return true
  }
}
