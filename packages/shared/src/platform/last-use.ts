import { type Clock, havePassed } from './clock.ts'
import { LowPriorityQueue } from './low-priority-queue.ts'

/** Each id is written at most once in this time. */
const writeIntervalMs = 60_000
/** Uses written in one statement, during which the embedded database serves nobody else. */
const writtenAtOnce = 32

/** When something, such as a key of an organization or a session of a user, was last used. */
export interface Use {
  ownerId: string
  id: string
  at: Date
}

/** Records when keys or sessions were last used. It is written later, so that no request waits for it or fails with it. */
export class LastUse {
  readonly #write: (uses: Use[]) => Promise<void>
  readonly #clock: Clock
  readonly #lowPriority: LowPriorityQueue
  readonly #used = new Map<string, Use>()
  readonly #written = new Map<string, number>()

  constructor(write: (uses: Use[]) => Promise<void>, clock: Clock, lowPriority = LowPriorityQueue.steady()) {
    this.#write = write
    this.#clock = clock
    this.#lowPriority = lowPriority
  }

  record(ownerId: string, id: string): void {
    this.#used.set(id, { ownerId, id, at: this.#clock.now() })
  }

  /** Writes the uses of ids that were not written within the last minute; with `all`, before the process ends, of every id. */
  async flush(all = false): Promise<void> {
    const now = this.#clock.now().getTime()
    for (const [id, at] of this.#written) if (havePassed(writeIntervalMs, at, now)) this.#written.delete(id)
    const due = [...this.#used.values()].filter(({ id }) => all || !this.#written.has(id))
    for (let from = 0; from < due.length; from += writtenAtOnce) {
      const some = due.slice(from, from + writtenAtOnce)
      await this.#lowPriority.run(() => this.#write(some))
      for (const use of some) {
        this.#written.set(use.id, now)
        if (this.#used.get(use.id) === use) this.#used.delete(use.id)
      }
    }
  }
}
