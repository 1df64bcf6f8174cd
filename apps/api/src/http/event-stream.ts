import { ApiError } from '@memory/shared/catalogue/errors'
import type { Request, Response } from 'express'
import { write } from './send-json.ts'

interface StreamEvent {
  id: string
  event: string
  data: object
}

interface Source {
  /** undefined where nothing came for a while. */
  events: AsyncIterable<StreamEvent | undefined>
  /** To be called in any case. */
  close(): void
}

/** A client that was cut off waits for so long before it asks again. */
const reconnectMs = 1_000

/** An answer of server-sent events, which goes on until the client hangs up or there are no more. */
export class EventStream {
  readonly #source: Source
  readonly #endMs: number | undefined

  /** @param seconds after which it ends by itself */
  constructor(source: Source, seconds: number | undefined) {
    this.#source = source
    this.#endMs = seconds === undefined ? undefined : seconds * 1_000
  }

  /**
   * @param mayGoOn throws an ApiError when the client may be told nothing more; asked before each event, and whenever nothing
   *   came for a while
   * @throws what reading the events throws; the client asks again then
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
      // Whoever may hear no more, or has hung up, is told by the end.
      if (!(error instanceof ApiError)) throw error
    } finally {
      clearTimeout(end)
      close()
      res.end()
    }
  }

  /** For an answer that is not sent after all. */
  drop(): void {
    this.#source.close()
  }
}

/** JSON has no line breaks. */
const textOf = ({ id, event, data }: StreamEvent) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
