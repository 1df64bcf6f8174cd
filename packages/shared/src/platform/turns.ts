import { ApiError } from '../catalogue/errors.ts'

export interface TurnsOptions {
  /** What runs at once. */
  slots: number
  /** What may wait; more is refused. */
  waitingMax: number
  /** How long one takes, in seconds, to estimate when a refused one may come again. */
  secondsEach: number
  /** What is told to operators of what was refused. */
  of: string
}

/** Lets a few pieces of work run at once and others wait in order, in a queue that has an end. */
export class Turns {
  readonly #options: TurnsOptions
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** @throws ApiError unavailable when too many wait already, and what `work` throws */
  async take<T>(work: () => Promise<T>): Promise<T> {
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
    const { slots, waitingMax, secondsEach, of } = this.#options
    const waiting = this.#waiting.length
    if (waiting >= waitingMax) {
      const retryAfterS = Math.max(1, Math.ceil((waiting * secondsEach) / slots))
      throw new ApiError('unavailable', { retryAfterS, cause: new Error(`Too many ${of} wait.`) })
    }
    return new Promise((resume) => this.#waiting.push(resume))
  }
}
