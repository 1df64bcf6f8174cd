import type { Log } from './log.ts'

/**
 * Tells the log of work that is done again and again: that it fails once for each cause, and that it works again. While a
 * database is away or a disk is full every turn fails alike, and a line for each would bury all others.
 */
export class FailureLog {
  readonly #log: Log
  readonly #name: string
  #failures = 0
  /** Those told since it worked last; a failure of many causes is told as often at most. */
  readonly #told = new Set<string>()

  /** @param name of the work, as in "… failed" */
  constructor(log: Log, name: string) {
    this.#log = log
    this.#name = name
  }

  /** Waits for one turn of the work, and notes how it ended. */
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

/** By what failures of one cause are known. Of an error that several addresses have made, the code is all that there is. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.name} ${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`
}
