/** How a pattern was in answers of some time. */
export interface Accesses {
  count: number
  /** How many of them came before the last one among an answer's first patterns; undefined without such a one. */
  beforeTop: number | undefined
}

/** By idx. */
export type PatternAccesses = Map<number, Accesses>

/** Adds accesses of a pattern that came after those that are there. */
export function addAccesses(all: PatternAccesses, idx: number, { count, beforeTop }: Accesses): void {
  const before = all.get(idx)
  if (before === undefined) {
    all.set(idx, { count, beforeTop })
    return
  }
  if (beforeTop !== undefined) before.beforeTop = before.count + beforeTop
  before.count += count
}

/** Cuts accesses into maps of at most `size` patterns. */
export function* inParts(all: PatternAccesses, size: number): Generator<PatternAccesses> {
  const entries = [...all]
  for (let first = 0; first < entries.length; first += size) yield new Map(entries.slice(first, first + size))
}

/** How often each pattern was in an answer. */
export const countsOf = (all: PatternAccesses): Map<number, number> =>
  new Map(Array.from(all, ([idx, { count }]) => [idx, count]))
