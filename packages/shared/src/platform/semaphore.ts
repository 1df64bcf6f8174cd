export interface SemaphoreOptions {
  /** What runs at once. */
  slots: number
  /** What may wait, any number unless said; and what is thrown when more comes, given how many wait. */
  limit?: { waiting: number; refusal: (waiting: number) => Error }
}

/** Lets a few pieces of work run at once; others wait in the order in which they came. */
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

  /** @throws the refusal where too many wait already, and what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.slots) this.#running++
    else await this.#wait()
    try {
      return await work()
    } finally {
      // Whoever waits takes over the place as it is, so that nobody slips in between.
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
