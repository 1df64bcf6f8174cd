import type { Clock } from './clock.ts'
import { LowPriorityQueue } from './low-priority-queue.ts'

/** One write a minute and id at most. */
const writeIntervalMs = 60_000
/** Uses written in one statement, which holds up everybody in the embedded database. */
const writtenAtOnce = 32

/** When something of an owner was last used. */
export interface Use {
  ownerId: string
  id: string
  at: Date
}

/**
 * Remembers when keys or sessions were used, off the requests' path; a failed write never fails a request.
 */
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

  /** Writes the uses of what was last written a minute ago; `all` writes every one, before the process ends. */
  async flush(all = false): Promise<void> {
    const now = this.#clock.now().getTime()
    for (const [id, at] of this.#written) if (now - at >= writeIntervalMs) this.#written.delete(id)
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
