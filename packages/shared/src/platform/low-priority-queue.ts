import { setImmediate, setTimeout } from 'node:timers/promises'

/** A piece that took longer than this waited for something else than the processor. */
const restMaxMs = 50

/**
 * Work that may wait for requests, such as writing down what they were counted for: one piece at a time, whoever brings
 * it, and after each a rest as long as the piece took. So requests wait for one piece at most, whatever has gathered, and
 * have half of the embedded database's thread; of a server's connections one is in use. What comes faster than its pieces
 * are done gathers where it is recorded, and a piece writes the sum of it.
 */
export class LowPriorityQueue {
  readonly #rest: (ms: number) => Promise<unknown>
  #last: Promise<unknown> = Promise.resolve()
  #isHurried = false

  /** @param rest lets so much time pass */
  constructor(rest: (ms: number) => Promise<unknown> = setTimeout) {
    this.#rest = rest
  }

  /** Without rests, for whoever waits for what is done; requests that have come meanwhile come first all the same. */
  static steady(): LowPriorityQueue {
    return new LowPriorityQueue(async () => {})
  }

  /** Does a piece of work after those before it; a piece may not wait for another. @throws what `work` throws */
  run<T>(work: () => Promise<T>): Promise<T> {
    let started = 0
    const running = this.#last.then(() => {
      started = performance.now()
      return work()
    })
    this.#last = running.catch(() => {}).then(() => this.#pause(performance.now() - started))
    return running
  }

  /** Waits for the pieces before, as `run` does. @returns what ends this one */
  enter(): Promise<() => void> {
    return new Promise((begin) => {
      const { promise: left, resolve: leave } = Promise.withResolvers<void>()
      void this.run(() => {
        begin(leave)
        return left
      })
    })
  }

  /** From now on there is no rest: the process ends, and nobody is answered any more. */
  hurry(): void {
    this.#isHurried = true
  }

  async #pause(ms: number): Promise<void> {
    // The event loop reads from the network between two of these: requests that have come meanwhile come first.
    await setImmediate()
    await setImmediate()
    if (!this.#isHurried) await this.#rest(Math.min(ms, restMaxMs))
  }
}
