import { ApiError } from '../catalogue/errors.ts'
import { limits } from '../catalogue/limits.ts'
import { asTenant, type Database } from '../platform/database/database.ts'
import { KeyedQueue } from '../platform/keyed-queue.ts'
import * as store from './store.ts'

/** Whoever adds a notification is about to commit it. */
const retryMs = 50
/** Rows that are read at a time. */
const batch = 100

/** What has changed since a stream was told last. */
export interface News {
  rows: store.NumberedRow[]
  unread: number
  /** Up to which number the stream has been told of everything. */
  position: number
}

/** A stream that is open. */
export interface Following {
  /** What is new, as it comes; undefined where nothing was for a while. It ends when the stream is closed or the process ends. */
  news: AsyncIterable<News | undefined>
  /** Ends the stream, and makes room for another. */
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
 * Follows the notifications of organizations. Every process hears by NOTIFY that something has changed, whoever changed it,
 * and reads from the database what that is; so nothing is lost with a message, and no process has to know of another.
 */
export class NotificationFeed {
  readonly #context: Context
  readonly #beatMs: number
  readonly #streams = new Set<Stream>()
  /** Of one organization one stream reads at a time. */
  readonly #reading = new KeyedQueue<string>()
  #listening: Promise<() => Promise<void>> | undefined
  #isClosed = false

  constructor(context: Context, beatMs: number = limits.streamBeatMs) {
    this.#context = context
    this.#beatMs = beatMs
  }

  /** Streams that are open. */
  get size(): number {
    return this.#streams.size
  }

  /**
   * Opens a stream.
   * @param after the number of the last notification that is known; undefined tells of what comes from now on
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

  /** Ends every stream. */
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

  /** From the first stream on the process listens. */
  #listen(): Promise<unknown> {
    this.#listening ??= this.#context
      .listen('memory_notifications', (organizationId) => {
        // After a connection was lost nobody knows whose notifications have changed.
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

  /** @returns undefined for a stream that was closed meanwhile */
  #read(stream: Stream, after: number | undefined): Promise<News | undefined> {
    const { organizationId } = stream
    return this.#reading.run(organizationId, async () => {
      while (!stream.isClosed) {
        const news = await asTenant(this.#context.queries, { organizationId }, async (trx) => {
          // While somebody is about to commit one with a lower number, those with a higher one are not told of.
          if (!(await store.lockInOrder(trx, organizationId))) return undefined
          const rows = after === undefined ? [] : await store.listAfter(trx, organizationId, after, batch)
          const { unread } = await store.count(trx, organizationId)
          // A client of a database that was restored since may know of more than there are: the next ones have those numbers.
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
