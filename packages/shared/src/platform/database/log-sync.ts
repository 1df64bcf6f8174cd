import { fsync, fsyncSync } from 'node:fs'

/** How files are brought to the disk; tests give their own. */
export interface FileSync {
  now(file: number): void
  later(file: number, done: (error: NodeJS.ErrnoException | null) => void): void
}

export const onDisk: FileSync = { now: fsyncSync, later: fsync }

/** What the system says of a descriptor that was closed before it came to it, of whatever file the number is by then. */
const closedCodes = ['EBADF', 'EINVAL']

/** A sync that is under way. */
interface Flight {
  file: number
  /** The last request that it is sure to fulfil. */
  request: number
  /** Whether the file was closed since it began. */
  isClosed: boolean
}

/**
 * Brings the embedded database's log to the disk off the thread that the database runs in: a sync takes 1 ms and more, in
 * which no statement would run, and those that commit meanwhile share the next one.
 *
 * The database is told that its log is on the disk before it is. So whoever runs a statement with `putOff` waits for
 * what it gives before telling anybody that it is committed, and nothing else may reach the disk before the log does, as
 * PostgreSQL wants it: `before` is called ahead of every change of another file.
 */
export class LogSync {
  readonly #sync: FileSync
  readonly #giveUp: (error: unknown) => void
  /** Files of the log (descriptors) that are not on the disk, each with the number of its last request. */
  readonly #unsynced = new Map<number, number>()
  readonly #flights = new Set<Flight>()
  #requests = 0
  #isPuttingOff = false
  #last: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** @param giveUp ends the process: what the database takes for committed may be lost */
  constructor(giveUp: (error: unknown) => void, sync: FileSync) {
    this.#giveUp = giveUp
    this.#sync = sync
  }

  /**
   * Runs a statement, while nobody else can run one.
   * @returns its result, and what to wait for before anybody is told of it: undefined where it committed nothing
   */
  async putOff<T>(work: () => Promise<T>): Promise<{ result: T; durable: Promise<void> | undefined }> {
    const before = this.#requests
    this.#isPuttingOff = true
    try {
      return { result: await work(), durable: this.#durableSince(before) }
    } catch (error) {
      // It may have written all the same, for which nobody waits.
      this.#durableSince(before)
      throw error
    } finally {
      this.#isPuttingOff = false
    }
  }

  #durableSince(requests: number): Promise<void> | undefined {
    return this.#requests === requests ? undefined : this.durable()
  }

  /** Resolves when all that was written to the log until now is on the disk. */
  durable(): Promise<void> {
    if (this.#unsynced.size === 0) return Promise.resolve()
    this.#next ??= this.#takeNext()
    return this.#next
  }

  /** The database wants a file of its log on the disk. @returns false when that is to be done at once */
  request(file: number): boolean {
    if (!this.#isPuttingOff) return false
    this.#unsynced.set(file, ++this.#requests)
    return true
  }

  /** To be called before another file than the log's is changed, or one of the log's closed. */
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

  /** Brings a file to the disk. @throws what the system says */
  now(file: number): void {
    this.#sync.now(file)
    this.#unsynced.delete(file)
  }

  /** A file was closed: its descriptor may be another's from now on. */
  closed(file: number): void {
    for (const flight of this.#flights) if (flight.file === file) flight.isClosed = true
  }

  /** One after the other: the one under way may have begun before the last was written. */
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
        // The system tells of a failure once: that another sync of the file succeeded since then says nothing. What is
        // closed was brought to the disk before.
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
