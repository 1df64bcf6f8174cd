import type { Derive } from '@memory/identity/accounts/password-hash'
import { Piscina } from 'piscina'
import type { HashTask } from './hash-thread.ts'

/** A thread without work ends after this. */
const idleMs = 10 * 60_000
/** The lowest priority for the processor, as a `nice` value. */
const niceness = 19

/**
 * Threads that only hash passwords, at the lowest priority. On Node's own threads, which have normal priority, many
 * sign-ins at once would take the processor from all other requests.
 */
export class HashThreads {
  readonly #pool: Piscina<HashTask, Uint8Array>

  constructor(threads: number) {
    this.#pool = new Piscina({
      filename: new URL('./hash-thread.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      niceIncrement: niceness,
    })
  }

  readonly derive: Derive = (password, salt, cost) => this.#pool.run({ password, salt, cost })

  close(): Promise<void> {
    return this.#pool.close({ force: true })
  }
}
