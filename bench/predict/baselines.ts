/** Counts accesses, to guess without the service what comes next. */
export class Baselines {
  readonly #counts = new Map<number, number>()
  readonly #following = new Map<number, Map<number, number>>()

  note(fact: number, after: number | undefined): void {
    addOne(this.#counts, fact)
    if (after === undefined) return
    const following = this.#following.get(after) ?? new Map()
    addOne(following, fact)
    this.#following.set(after, following)
  }

  /** What was asked for most. */
  popular(k: number, except: number): number[] {
    return first(this.#counts, k, except)
  }

  /** What most often came right after: more than an index of transitions can't know. */
  followers(k: number, fact: number): number[] {
    return first(this.#following.get(fact) ?? new Map(), k, fact)
  }
}

function addOne(counts: Map<number, number>, fact: number): void {
  counts.set(fact, (counts.get(fact) ?? 0) + 1)
}

function first(counts: ReadonlyMap<number, number>, k: number, except: number): number[] {
  return [...counts]
    .filter(([fact]) => fact !== except)
    .sort(([a, m], [b, n]) => n - m || a - b)
    .slice(0, k)
    .map(([fact]) => fact)
}
