import { ApiError } from '@memory/shared/catalogue/errors'
import type { Request, Response } from 'express'
import { write } from './send-json.ts'

interface StreamEvent {
  id: string
  event: string
  data: object
}

interface Source {
  /** Gives undefined when there was no event for a while, so that the connection is kept alive. */
  events: AsyncIterable<StreamEvent | undefined>
  /** Ends `events` and frees what they hold. Must be called in any case; may be called more than once. */
  close(): void
}

/** The time that clients are told to wait before they reconnect. */
const reconnectMs = 1_000

/** An answer of server-sent events, which goes on until the client hangs up or the events end. */
export class EventStream {
  readonly #source: Source
  readonly #endMs: number | undefined

  /** @param seconds after this time the stream ends by itself; undefined: never */
  constructor(source: Source, seconds: number | undefined) {
    this.#source = source
    this.#endMs = seconds === undefined ? undefined : seconds * 1_000
  }

  /**
   * @param mayGoOn throws an ApiError when the client is no longer allowed to read the stream; called before each event and
   *   each keep-alive
   * @throws what reading the events throws, unless that is an ApiError; the client then reconnects
   */
  async send(req: Request, res: Response, mayGoOn: () => Promise<void>): Promise<void> {
    const { close, events } = this.#source
    const end = this.#endMs === undefined ? undefined : setTimeout(close, this.#endMs)
    res.once('close', close)
    res.locals.isStream = true
    res.statusCode = 200
    res.setHeader('Content-Type', 'text/event-stream')
    // Proxies that gather or compress answers would hold events back.
    res.setHeader('Cache-Control', 'no-store, no-transform')
    res.setHeader('X-Accel-Buffering', 'no')
    try {
      if (req.method === 'HEAD' || res.closed) return
      await write(res, `retry: ${reconnectMs}\n\n`)
      for await (const event of events) {
        await mayGoOn()
        await write(res, event === undefined ? ': still here\n\n' : textOf(event))
      }
    } catch (error) {
      // An ApiError means no longer allowed, or hung up: the end of the stream says it, since the status was sent long ago.
      if (!(error instanceof ApiError)) throw error
    } finally {
      clearTimeout(end)
      close()
      res.end()
    }
  }
}

/** `data` takes a single line: `JSON.stringify` writes no line breaks. */
const textOf = ({ id, event, data }: StreamEvent) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
