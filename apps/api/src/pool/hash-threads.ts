import type { Derive } from '@memory/identity/accounts/password-hash'
import { Piscina } from 'piscina'
import type { HashTask } from './hash-thread.ts'

/** Threads without work end after this. */
const idleMs = 10 * 60_000
/** How much less than others these threads are given of the processor, as `nice` has it. */
const niceness = 19

/**
 * Threads that hash passwords, and nothing else. They run when nothing more urgent does: on Node's own threads, which
 * have everybody's priority, a crowd that signs in takes the processor from all other requests.
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
