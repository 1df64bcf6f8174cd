import { statfsSync } from 'node:fs'

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
  #checkedMs = Number.NEGATIVE_INFINITY
  #isLow = false

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Whether no more than the reserve is free, as of the last quarter of a second. */
  get isLow(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#checkedMs >= checkEveryMs) {
      this.#checkedMs = nowMs
      const { bavail, bsize } = statfsSync(this.#folder)
      this.#isLow = bavail * bsize < reserveBytes
    }
    return this.#isLow
  }
}
