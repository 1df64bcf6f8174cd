import { ApiError } from '../catalogue/errors.ts'
import { limits } from '../catalogue/limits.ts'
import { asTenant, type Database } from '../platform/database/database.ts'
import { KeyedQueue } from '../platform/keyed-queue.ts'
import * as store from './store.ts'

/** While somebody is about to commit a notification, reading is tried again after this time. */
const retryMs = 50
/** Rows that are read at a time. */
const batch = 100

/** What has changed since the last news of a stream. */
export interface News {
  rows: store.NumberedRow[]
  unread: number
  /** The number up to which the stream has got all notifications. */
  position: number
}

/** An open stream. */
export interface Following {
  /** News as they come; undefined when there were none for a while. Ends when the stream is closed or the process ends. */
  news: AsyncIterable<News | undefined>
  /** Closes the stream, which makes room for another. */
  close(): void
}

interface Stream {
  organizationId: string
  /** Fires when something may have changed. */
  wake: () => void
  isClosed: boolean
}

type Context = Pick<Database, 'queries' | 'listen'>

/**
 * Follows the notifications of organizations. A NOTIFY only tells every process that something has changed; what has changed is
 * read from the database. So nothing is lost with a missed NOTIFY, and processes need not know of each other.
 */
export class NotificationFeed {
  readonly #context: Context
  readonly #beatMs: number
  readonly #streams = new Set<Stream>()
  /** Lets the streams of an organization read one after the other. */
  readonly #reading = new KeyedQueue<string>()
  #listening: Promise<() => Promise<void>> | undefined
  #isClosed = false

  constructor(context: Context, beatMs: number = limits.streamBeatMs) {
    this.#context = context
    this.#beatMs = beatMs
  }

  /** The number of open streams. */
  get size(): number {
    return this.#streams.size
  }

  /**
   * Opens a stream.
   * @param after the number of the last notification that the client has; undefined: only later ones
   * @throws ApiError streams_full; unavailable when the process ends
   */
  async open(organizationId: string, after: number | undefined): Promise<Following> {
    if (this.#isClosed) throw new ApiError('unavailable', { retryAfterS: 1 })
    const own = [...this.#streams].filter((each) => each.organizationId === organizationId)
    if (own.length >= limits.notificationStreams || this.#streams.size >= limits.notificationStreamsInAll) {
      throw new ApiError('streams_full', { retryAfterS: 10 })
    }
    const stream: Stream = { organizationId, wake: () => {}, isClosed: false }
    this.#streams.add(stream)
    const close = () => {
      this.#streams.delete(stream)
      stream.isClosed = true
      stream.wake()
    }
    try {
      await this.#listen()
    } catch (error) {
      close()
      throw error
    }
    return { news: this.#follow(stream, after), close }
  }

  /** Closes all streams. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const stream of this.#streams) {
      stream.isClosed = true
      stream.wake()
    }
    const unlisten = await this.#listening?.catch(() => undefined)
    this.#listening = undefined
    await unlisten?.()
  }

  /** Starts to listen for NOTIFY, with the first stream. */
  #listen(): Promise<unknown> {
    this.#listening ??= this.#context
      .listen('memory_notifications', (organizationId) => {
        // An empty payload comes after a reconnection: any organization may have changed meanwhile.
        for (const stream of this.#streams) {
          if (organizationId === '' || organizationId === stream.organizationId) stream.wake()
        }
      })
      .catch((error) => {
        this.#listening = undefined
        throw error
      })
    return this.#listening
  }

  async *#follow(stream: Stream, after: number | undefined): AsyncGenerator<News | undefined> {
    let position = after
    let isNew = true
    let waiting: (() => void) | undefined
    stream.wake = () => {
      isNew = true
      waiting?.()
    }
    while (!stream.isClosed) {
      if (isNew) {
        isNew = false
        const news = await this.#read(stream, position)
        if (news === undefined) return
        if (news.rows.length === batch) isNew = true
        position = news.position
        yield news
        continue
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#beatMs)
        waiting = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      waiting = undefined
      if (!isNew && !stream.isClosed) yield undefined
    }
  }

  /** Reads the news of a stream. @returns undefined when the stream was closed meanwhile */
  #read(stream: Stream, after: number | undefined): Promise<News | undefined> {
    const { organizationId } = stream
    return this.#reading.run(organizationId, async () => {
      while (!stream.isClosed) {
        const news = await asTenant(this.#context.queries, { organizationId }, async (trx) => {
          // Somebody may be about to commit a notification with a lower number, which would be skipped: try again later.
          if (!(await store.lockInOrder(trx, organizationId))) return undefined
          const rows = after === undefined ? [] : await store.listAfter(trx, organizationId, after, batch)
          const { unread } = await store.count(trx, organizationId)
          // After a restore, a client may have seen higher numbers than exist now, and new notifications will reuse them.
          const last = rows.at(-1)?.n ?? (await store.lastNumber(trx, organizationId))
          const position = rows.length > 0 ? last : Math.min(last, after ?? last)
          return { rows, unread, position }
        })
        if (news !== undefined) return news
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
      return undefined
    })
  }
}
