import type { Clock } from '../platform/clock.ts'
import type { Queries } from '../platform/database/database.ts'
import * as store from './store.ts'

/** One write a minute and key at most. */
const writeIntervalMs = 60_000

/** Remembers when keys were used, off the requests' path; a failed write never fails a request. */
export class KeyUsage {
  readonly #queries: Queries
  readonly #clock: Clock
  readonly #used = new Map<string, { organizationId: string; at: Date }>()
  readonly #written = new Map<string, number>()

  constructor(queries: Queries, clock: Clock) {
    this.#queries = queries
    this.#clock = clock
  }

  record(organizationId: string, keyId: string): void {
    this.#used.set(keyId, { organizationId, at: this.#clock.now() })
  }

  /** Writes the uses of keys whose last write is a minute old; `all` writes every one, before the process ends. */
  async flush(all = false): Promise<void> {
    const now = this.#clock.now().getTime()
    for (const [keyId, at] of this.#written) if (now - at >= writeIntervalMs) this.#written.delete(keyId)
    const due = [...this.#used].filter(([keyId]) => all || !this.#written.has(keyId))
    if (due.length === 0) return
    await store.touch(
      this.#queries,
      due.map(([keyId, { organizationId, at }]) => ({ organizationId, keyId, at })),
    )
    for (const [keyId, { at }] of due) {
      this.#written.set(keyId, now)
      if (this.#used.get(keyId)?.at === at) this.#used.delete(keyId)
    }
  }
}
