/** What a request's time goes into, as far as it is told apart. */
export const spentOn = ['auth', 'encode', 'search', 'rank', 'database'] as const
export type SpentOn = (typeof spentOn)[number]

/** How long a request has been doing what. Things of one kind that go on at the same time count once; kinds may overlap. */
export class TimeSpent {
  readonly #now: () => number
  readonly #parts = new Map<SpentOn, { ms: number; underWay: number; since: number }>()

  /** @param now in ms, from anywhere */
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

  /** What has been done so far, in ms; what is under way counts up to now. */
  *entries(): Generator<[SpentOn, number]> {
    for (const what of spentOn) {
      const part = this.#parts.get(what)
      if (part === undefined) continue
      yield [what, part.ms + (part.underWay > 0 ? this.#now() - part.since : 0)]
    }
  }
}
