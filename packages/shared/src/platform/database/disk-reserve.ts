import { statfsSync } from 'node:fs'
import type { Log } from '../log.ts'

/**
 * Free bytes below which no new writes are accepted. The database ends when its log can't be written, so the rest of a
 * transaction that has begun must still fit: the largest request, 63 MiB of vectors, takes 144 MiB of log and 140 MiB of
 * tables.
 */
export const reserveBytes = 320 * 2 ** 20
/** The free space is read only this often: reading it takes some microseconds, and a statement may take only a hundred. */
const checkEveryMs = 250

/** Watches whether the disk of a folder has room for further writes. */
export class DiskReserve {
  readonly #folder: string
  readonly #log: Pick<Log, 'warn' | 'info'> | undefined
  readonly #freeBytes: (folder: string) => number
  #checkedMs = Number.NEGATIVE_INFINITY
  #isLow = false

  /**
   * @param log where it is logged that space runs short, and that there is room again
   * @param freeBytes gives the free bytes of a folder's disk; tests replace it
   */
  constructor(folder: string, log?: Pick<Log, 'warn' | 'info'>, freeBytes = freeBytesOf) {
    this.#folder = folder
    this.#log = log
    this.#freeBytes = freeBytes
  }

  /** Whether less than the reserve is free, as of at most a quarter of a second ago. */
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
