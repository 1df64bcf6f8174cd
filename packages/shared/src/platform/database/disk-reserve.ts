import { statfsSync } from 'node:fs'
import type { Log } from '../log.ts'

/**
 * Bytes that are left to the database's log, which must never lack room: without it the database ends. What one
 * transaction that has begun still writes has to fit: the largest request, 63 MiB of vectors, takes 144 MiB of log and 140
 * of tables.
 */
export const reserveBytes = 320 * 2 ** 20
/** Asking the system takes some microseconds, and a statement may take no more than a hundred. */
const checkEveryMs = 250

/** Whether the disk of a folder has room to write. */
export class DiskReserve {
  readonly #folder: string
  readonly #log: Pick<Log, 'warn' | 'info'> | undefined
  readonly #freeBytes: (folder: string) => number
  #checkedMs = Number.NEGATIVE_INFINITY
  #isLow = false

  /**
   * @param log is told when the reserve is reached, and when it is left
   * @param freeBytes of the disk of a folder; tests give their own
   */
  constructor(folder: string, log?: Pick<Log, 'warn' | 'info'>, freeBytes = freeBytesOf) {
    this.#folder = folder
    this.#log = log
    this.#freeBytes = freeBytes
  }

  /** Whether no more than the reserve is free, as of the last quarter of a second. */
  get isLow(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#checkedMs >= checkEveryMs) {
      this.#checkedMs = nowMs
      this.#note(this.#freeBytes(this.#folder))
    }
    return this.#isLow
  }

  #note(freeBytes: number): void {
    const isLow = freeBytes < reserveBytes
    if (isLow === this.#isLow) return
    this.#isLow = isLow
    const facts = { folder: this.#folder, freeMiB: inMiB(freeBytes), neededMiB: inMiB(reserveBytes) }
    if (isLow) this.#log?.warn(facts, 'disk nearly full: the database only reads until there is room again')
    else this.#log?.info(facts, 'disk has room again: the database writes')
  }
}

const inMiB = (bytes: number) => Math.floor(bytes / 2 ** 20)

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
