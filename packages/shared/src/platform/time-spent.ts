/** The kinds of work for which a request's time is measured separately. */
const spentOn = ['auth', 'encode', 'search', 'rank', 'database'] as const
export type SpentOn = (typeof spentOn)[number]

/**
 * How long a request has spent on each kind of work. Concurrent work of the same kind counts once; different kinds may overlap,
 * so their sum may exceed the total.
 */
export class TimeSpent {
  readonly #now: () => number
  readonly #parts = new Map<SpentOn, { ms: number; underWay: number; since: number }>()

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Counts the time until `work` is done. */
  async during<T>(what: SpentOn, work: () => T | Promise<T>): Promise<T> {
    const part = this.#parts.get(what) ?? { ms: 0, underWay: 0, since: 0 }
    this.#parts.set(what, part)
    if (part.underWay++ === 0) part.since = this.#now()
    try {
      return await work()
    } finally {
      if (--part.underWay === 0) part.ms += this.#now() - part.since
    }
  }

  /** The ms spent so far on each kind, including work that is still running. */
  *entries(): Generator<[SpentOn, number]> {
    for (const what of spentOn) {
      const part = this.#parts.get(what)
      if (part === undefined) continue
      yield [what, part.ms + (part.underWay > 0 ? this.#now() - part.since : 0)]
    }
  }
}
