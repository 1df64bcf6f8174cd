import type { Log } from './log.ts'

/**
 * Logs failures of work that is repeated: once per cause, and then once when it works again. While a database is down or a disk
 * is full every run fails in the same way, and a line for each would bury all others.
 */
export class FailureLog {
  readonly #log: Log
  readonly #name: string
  #failures = 0
  /** Causes logged since the work last succeeded; at most `toldMax`, since a cause may differ each time. */
  readonly #told = new Set<string>()

  /** @param name of the work, as in "… failed" */
  constructor(log: Log, name: string) {
    this.#log = log
    this.#name = name
  }

  /** Waits for one run of the work and records how it ended. Never rejects. */
  async watch(work: Promise<unknown>): Promise<void> {
    try {
      await work
      this.worked()
    } catch (error) {
      this.failed(error)
    }
  }

  failed(error: unknown): void {
    this.#failures++
    const cause = causeOf(error)
    if (this.#told.has(cause) || this.#told.size === toldMax) return
    this.#told.add(cause)
    this.#log.warn({ err: error }, `${this.#name} failed`)
  }

  worked(): void {
    if (this.#failures === 0) return
    this.#log.info({ failures: this.#failures }, `${this.#name} works again`)
    this.#failures = 0
    this.#told.clear()
  }
}

const toldMax = 20

/** A text that is equal for errors of the same cause. Includes the code, since an AggregateError has no message of its own. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.name} ${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`
}
