import { asTask, type Queries } from '@memory/shared/platform/database/database'
import * as deliveries from './delivery-store.ts'

/** Notes deliveries that were taken: those that come while others are being written, all at once. */
export class SuccessNotes {
  readonly #queries: Queries
  #waiting: deliveries.Outcome[] = []
  #next: Promise<void> | undefined
  #writing: Promise<void> | undefined

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Resolves when it is noted. */
  note(success: deliveries.Outcome): Promise<void> {
    this.#waiting.push(success)
    this.#next ??= this.#writeAfter(this.#writing)
    return this.#next
  }

  async #writeAfter(before: Promise<void> | undefined): Promise<void> {
    await before?.catch(() => {})
    const successes = this.#waiting
    this.#waiting = []
    this.#writing = this.#next
    this.#next = undefined
    await asTask(this.#queries, 'deliver-webhooks', (trx) => deliveries.finish(trx, successes))
  }
}
