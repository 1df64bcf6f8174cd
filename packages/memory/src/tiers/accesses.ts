/** The accesses of one pattern during some time. */
export interface Accesses {
  /** In how many answers it was. */
  count: number
  /**
   * How many of these answers came before the last one in which it was among the first (`promotingRanks`); undefined if it never
   * was. Promotion depends on how much it was used before that one.
   */
  beforeTop: number | undefined
}

/** By idx. */
export type PatternAccesses = Map<number, Accesses>

/** Adds later accesses of a pattern. */
export function addAccesses(all: PatternAccesses, idx: number, { count, beforeTop }: Accesses): void {
  const before = all.get(idx)
  if (before === undefined) {
    all.set(idx, { count, beforeTop })
    return
  }
  if (beforeTop !== undefined) before.beforeTop = before.count + beforeTop
  before.count += count
}

/** Splits accesses into maps of at most `size` patterns. */
export function* inParts(all: PatternAccesses, size: number): Generator<PatternAccesses> {
  const entries = [...all]
  for (let first = 0; first < entries.length; first += size) yield new Map(entries.slice(first, first + size))
}

/** How often each pattern was in an answer. */
export const countsOf = (all: PatternAccesses): Map<number, number> =>
  new Map(Array.from(all, ([idx, { count }]) => [idx, count]))
