import { until } from '../../support/until.ts'
import type { Tally } from './tally.ts'
import type { Writer } from './writer.ts'

/** Writers at work, which can be halted between two of their operations. */
export class Load {
  readonly #writers: readonly Writer[]
  readonly #tally: Tally
  #running: Promise<unknown> = Promise.resolve()
  #halted = true
  #failure: unknown

  constructor(writers: readonly Writer[], tally: Tally) {
    this.#writers = writers
    this.#tally = tally
  }

  go(): void {
    this.#halted = false
    this.#running = Promise.all(this.#writers.map((writer) => this.#work(writer))).catch((error) => {
      this.#failure = error
    })
  }

  /** Resolves when no request is under way. */
  async halt(): Promise<void> {
    this.#halted = true
    await this.#running
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Lets no writer begin another operation; waits for none. */
  abandon(): void {
    this.#halted = true
  }

  /** Waits until so many writes more are acknowledged. */
  async more(writes: number): Promise<void> {
    const enough = this.#tally.acknowledged + writes
    await until(
      () => {
        if (this.#failure !== undefined) throw this.#failure
        return this.#tally.acknowledged >= enough
      },
      `${writes} acknowledged writes`,
      180_000,
    )
  }

  async #work(writer: Writer): Promise<void> {
    while (!this.#halted) await writer.step()
  }
}
