import { fsync, fsyncSync } from 'node:fs'

/** How files are synced (fsync) to the disk; tests replace it. */
export interface FileSync {
  now(file: number): void
  later(file: number, done: (error: NodeJS.ErrnoException | null) => void): void
}

export const onDisk: FileSync = { now: fsyncSync, later: fsync }

/** Error codes for a descriptor that was closed before the sync reached it; its number may belong to another file by then. */
const closedCodes = ['EBADF', 'EINVAL']

/** A sync that is running. */
interface Flight {
  file: number
  /** The number of the last request before it began, which it therefore fulfils. */
  request: number
  /** Whether the file was closed since it began. */
  isClosed: boolean
}

/**
 * Syncs the embedded database's write-ahead log (WAL) asynchronously, outside the database's thread. A sync takes 1 ms or more, in
 * which no statement could run; commits that arrive meanwhile share the next sync.
 *
 * PostgreSQL is told that its log is on the disk before that is true. Two rules keep this safe. Whoever runs a statement by
 * `putOff` waits for the returned `durable` before telling anybody that it is committed. And before any other file changes,
 * `before` is called, which syncs the log first, as write-ahead logging requires.
 */
export class WalSync {
  readonly #sync: FileSync
  readonly #giveUp: (error: unknown) => void
  /** Descriptors of log files that are not on the disk yet, each with the number of its last sync request. */
  readonly #unsynced = new Map<number, number>()
  readonly #flights = new Set<Flight>()
  #requests = 0
  #isPuttingOff = false
  /** The sync that is running, or the last one. */
  #last: Promise<void> | undefined
  /** The sync that follows it, which everybody who asks now waits for. */
  #next: Promise<void> | undefined

  /** @param giveUp ends the process after a failed sync, since what the database considers committed may be lost */
  constructor(giveUp: (error: unknown) => void, sync: FileSync) {
    this.#giveUp = giveUp
    this.#sync = sync
  }

  /**
   * Runs a statement whose sync is put off. No other statement may run meanwhile.
   * @returns its result, and a promise to wait for before telling anybody of it; undefined when it committed nothing
   */
  async putOff<T>(work: () => Promise<T>): Promise<{ result: T; durable: Promise<void> | undefined }> {
    const before = this.#requests
    this.#isPuttingOff = true
    try {
      return { result: await work(), durable: this.#durableSince(before) }
    } catch (error) {
      // It may have written to the log nevertheless: starts the sync, for which nobody has to wait.
      this.#durableSince(before)
      throw error
    } finally {
      this.#isPuttingOff = false
    }
  }

  #durableSince(requests: number): Promise<void> | undefined {
    return this.#requests === requests ? undefined : this.durable()
  }

  /** Resolves when everything written to the log so far is on the disk. */
  durable(): Promise<void> {
    if (this.#unsynced.size === 0) return Promise.resolve()
    this.#next ??= this.#takeNext()
    return this.#next
  }

  /** PostgreSQL requests a sync of a log file. @returns false when it can't be put off: the caller must sync it now */
  request(file: number): boolean {
    if (!this.#isPuttingOff) return false
    this.#unsynced.set(file, ++this.#requests)
    return true
  }

  /** Syncs the log now. To be called before any other file is changed, and before a log file is closed. */
  before(): void {
    for (const file of this.#unsynced.keys()) {
      try {
        this.now(file)
      } catch (error) {
        this.#giveUp(error)
        return
      }
    }
  }

  /** Syncs a file now. @throws the system's error */
  now(file: number): void {
    this.#sync.now(file)
    this.#unsynced.delete(file)
  }

  /** To be called when a file was closed: its descriptor's number may be reused for another file. */
  closed(file: number): void {
    for (const flight of this.#flights) if (flight.file === file) flight.isClosed = true
  }

  /** Waits for the running sync, which may have begun before the latest writes, and then starts the next. */
  async #takeNext(): Promise<void> {
    await this.#last
    this.#next = undefined
    const taken = [...this.#unsynced].map(([file, request]) => this.#take({ file, request, isClosed: false }))
    this.#last = Promise.all(taken).then(() => {})
    await this.#last
  }

  #take(flight: Flight): Promise<void> {
    const { file, request } = flight
    this.#flights.add(flight)
    return new Promise((resolve) => {
      this.#sync.later(file, (error) => {
        this.#flights.delete(flight)
        // A failed sync is final: the system reports a failure only once, so a later success would prove nothing. But a file
        // that was closed meanwhile had been synced before it was closed.
        if (error !== null && !(flight.isClosed && closedCodes.includes(error.code ?? ''))) {
          this.#giveUp(error)
          return
        }
        if (this.#unsynced.get(file) === request) this.#unsynced.delete(file)
        resolve()
      })
    })
  }
}
