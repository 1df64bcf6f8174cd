import { setImmediate, setTimeout } from 'node:timers/promises'

/** The longest rest. A piece of work that took longer was waiting for something other than the processor. */
const restMaxMs = 50

/**
 * Runs work that may wait for requests, such as writing usage counts. It runs one piece at a time, and after each rests for as
 * long as the piece took. So however much work there is, a request waits for one piece at most; requests have half of the
 * embedded database's time and all but one of a server's connections. Callers should collect what comes faster than this
 * queue runs, and write its sum in one piece.
 */
export class LowPriorityQueue {
  readonly #rest: (ms: number) => Promise<unknown>
  #last: Promise<unknown> = Promise.resolve()
  #isHurried = false

  /** @param rest resolves after so many ms */
  constructor(rest: (ms: number) => Promise<unknown> = setTimeout) {
    this.#rest = rest
  }

  /** A queue without rests, for work whose result somebody waits for. Requests still come first between two pieces. */
  static steady(): LowPriorityQueue {
    return new LowPriorityQueue(async () => {})
  }

  /** Runs a piece of work after the earlier ones. It must not wait for another piece of this queue. @throws what `work` throws */
  run<T>(work: () => Promise<T>): Promise<T> {
    let started = 0
    const running = this.#last.then(() => {
      started = performance.now()
      return work()
    })
    this.#last = running.catch(() => {}).then(() => this.#pause(performance.now() - started))
    return running
  }

  /** Waits for the earlier pieces, as `run` does. @returns a function that ends this piece */
  enter(): Promise<() => void> {
    return new Promise((begin) => {
      const { promise: left, resolve: leave } = Promise.withResolvers<void>()
      void this.run(() => {
        begin(leave)
        return left
      })
    })
  }

  /** Ends the rests: the process is ending, so there are no more requests to make way for. */
  hurry(): void {
    this.#isHurried = true
  }

  async #pause(ms: number): Promise<void> {
    // Between two immediates the event loop reads from the network, so requests that have arrived meanwhile come first.
    await setImmediate()
    await setImmediate()
    if (!this.#isHurried) await this.#rest(Math.min(ms, restMaxMs))
  }
}
