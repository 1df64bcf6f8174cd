import type { Clock } from './clock.ts'

/** One write a minute and id at most. */
const writeIntervalMs = 60_000

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
  readonly #used = new Map<string, Use>()
  readonly #written = new Map<string, number>()

  constructor(write: (uses: Use[]) => Promise<void>, clock: Clock) {
    this.#write = write
    this.#clock = clock
  }

  record(ownerId: string, id: string): void {
    this.#used.set(id, { ownerId, id, at: this.#clock.now() })
  }

  /** Writes the uses of what was last written a minute ago; `all` writes every one, before the process ends. */
  async flush(all = false): Promise<void> {
    const now = this.#clock.now().getTime()
    for (const [id, at] of this.#written) if (now - at >= writeIntervalMs) this.#written.delete(id)
    const due = [...this.#used.values()].filter(({ id }) => all || !this.#written.has(id))
    if (due.length === 0) return
    await this.#write(due)
    for (const use of due) {
      this.#written.set(use.id, now)
      if (this.#used.get(use.id) === use) this.#used.delete(use.id)
    }
  }
}
