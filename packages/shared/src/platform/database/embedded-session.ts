import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { DurableFiles, durableSettings } from './durable-files.ts'
import { upkeepSettings } from './embedded-upkeep.ts'
import type { FileSync } from './log-sync.ts'

/** What the database says to the messages that it was sent. */
export interface Answer {
  /** Messages of PostgreSQL's protocol, one after the other. */
  bytes: Uint8Array
  /**
   * Resolves when what was committed is on the disk, which is to be waited for before anybody is told of it; undefined
   * where there is nothing to wait for.
   */
  durable: Promise<void> | undefined
}

/** The one session of an embedded database, in this thread or in another: messages of PostgreSQL's protocol and answers. */
export interface EmbeddedSession {
  readonly isClosed: boolean
  /**
   * Answers come in the order of what was sent.
   * @param messages of the frontend, ending with one that the database answers with ReadyForQuery
   * @param putsOff whether commits may be answered before they are on the disk (see `Answer.durable`)
   */
  send(messages: Uint8Array, putsOff: boolean): Promise<Answer>
  close(): Promise<void>
}

/**
 * 16 MB of buffers instead of 128 take 110 MB less memory; searches read the resident index, not these. The package's
 * own start parameters turn fsync off (-F).
 */
const startParameters = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...[...durableSettings, ...upkeepSettings, 'shared_buffers=16MB'].flatMap((setting) => ['-c', setting]),
]

/** The embedded database, running in the thread that calls it: whoever sends waits for as long as a statement takes. */
export class PGliteSession implements EmbeddedSession {
  readonly #database: PGlite
  readonly #files: DurableFiles

  private constructor(database: PGlite, files: DurableFiles) {
    this.#database = database
    this.#files = files
  }

  /**
   * Opens the database of a folder, creating it when it is empty.
   * @param sync how files are brought to the disk; tests give their own
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
    const { result, durable } = await this.#files.log.putOff(() => this.#exchange(messages))
    return { bytes: result, durable }
  }

  async #exchange(messages: Uint8Array): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    await this.#database.execProtocolRawStream(messages, {
      syncToFs: false,
      // The bytes are the database's own memory, which it writes over.
      onRawData: (part) => void parts.push(part.slice()),
    })
    return parts.length === 1 ? (parts[0] as Uint8Array) : new Uint8Array(Buffer.concat(parts))
  }

  async close(): Promise<void> {
    if (!this.#database.closed) await this.#database.close()
  }
}
