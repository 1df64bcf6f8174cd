import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { DurableFiles, durableSettings } from './durable-files.ts'
import { upkeepSettings } from './embedded-upkeep.ts'
import type { FileSync } from './wal-sync.ts'

/** The database's answer to the messages of one `send`. */
export interface Answer {
  /** Messages of PostgreSQL's protocol, concatenated. */
  bytes: Uint8Array
  /**
   * Resolves when what was committed is on the disk. Wait for it before telling anybody of the commit. Undefined when there is
   * nothing to wait for.
   */
  durable: Promise<void> | undefined
}

/** The one session of an embedded database, in this thread or another. It speaks PostgreSQL's protocol. */
export interface EmbeddedSession {
  readonly isClosed: boolean
  /**
   * Sends messages and waits for the answer. Several may be sent without waiting; answers come in the same order.
   * @param messages from a client, ending with one that the database answers with ReadyForQuery, such as Sync
   * @param putsOff whether a commit may be answered before it is on the disk (see `Answer.durable`)
   */
  send(messages: Uint8Array, putsOff: boolean): Promise<Answer>
  close(): Promise<void>
}

/**
 * PGlite's own start parameters without -F, which turns fsync off. Shared buffers of 16 MB instead of 128 save 110 MB of memory
 * and cost little, since searches read the index in memory and not these.
 */
const startParameters = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...[...durableSettings, ...upkeepSettings, 'shared_buffers=16MB'].flatMap((setting) => ['-c', setting]),
]

/** The embedded database in the thread that calls it, which is blocked while a statement runs. */
export class PGliteSession implements EmbeddedSession {
  readonly #database: PGlite
  readonly #files: DurableFiles

  private constructor(database: PGlite, files: DurableFiles) {
    this.#database = database
    this.#files = files
  }

  /**
   * Opens the database in a folder, creating it when the folder is empty.
   * @param sync how files are written durably to the disk; tests replace it
   */
  static async open(directory: string, sync?: FileSync): Promise<PGliteSession> {
    const files = new DurableFiles(directory, sync)
    const database = await PGlite.create({ fs: files, extensions: { vector }, startParams: startParameters })
    return new PGliteSession(database, files)
  }

  get isClosed(): boolean {
    return this.#database.closed
  }

  async send(messages: Uint8Array, putsOff: boolean): Promise<Answer> {
    if (!putsOff) return { bytes: await this.#exchange(messages), durable: undefined }
    const { result, durable } = await this.#files.wal.putOff(() => this.#exchange(messages))
    return { bytes: result, durable }
  }

  async #exchange(messages: Uint8Array): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    await this.#database.execProtocolRawStream(messages, {
      syncToFs: false,
      // Copied, because the bytes are in the database's own memory, which it reuses.
      onRawData: (part) => void parts.push(part.slice()),
    })
    return parts.length === 1 ? (parts[0] as Uint8Array) : new Uint8Array(Buffer.concat(parts))
  }

  async close(): Promise<void> {
    if (!this.#database.closed) await this.#database.close()
  }
}
