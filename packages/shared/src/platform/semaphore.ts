export interface SemaphoreOptions {
  /** How many pieces of work run at the same time. */
  slots: number
  /** How many may wait (by default any number), and the error that is thrown when one more comes. */
  limit?: { waiting: number; refusal: (waiting: number) => Error }
}

/** Runs a few pieces of work at a time; others wait, in order of arrival. */
export class Semaphore {
  readonly #options: SemaphoreOptions
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(options: SemaphoreOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** @throws the refusal when too many wait already; what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.slots) this.#running++
    else await this.#wait()
    try {
      return await work()
    } finally {
      // The slot is passed on directly to the next one waiting, so that no newcomer can take it in between.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  #wait(): Promise<void> {
    const { limit } = this.#options
    const waiting = this.#waiting.length
    if (limit !== undefined && waiting >= limit.waiting) throw limit.refusal(waiting)
    return new Promise((resume) => this.#waiting.push(resume))
  }
}
