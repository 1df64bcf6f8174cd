import type { Request, Response } from 'express'
import { write } from './send-json.ts'

/** An answer of bytes, sent piece by piece as fast as the client takes them. */
export class Download {
  readonly #media: string
  readonly #fileName: string
  readonly #bytes: number | undefined
  readonly #pieces: AsyncIterable<Uint8Array>

  /** @param pieces `bytes` bytes in all, where that is known, read as they are needed */
  constructor(media: string, fileName: string, bytes: number | undefined, pieces: AsyncIterable<Uint8Array>) {
    this.#media = media
    this.#fileName = fileName
    this.#bytes = bytes
    this.#pieces = pieces
  }

  /**
   * @throws ApiError abandoned when the client hangs up, and what reading the pieces throws; the connection is closed
   *   then, so that the client knows that they are not whole
   */
  async send(req: Request, res: Response, status: number): Promise<void> {
    res.statusCode = status
    res.setHeader('Content-Type', this.#media)
    if (this.#bytes !== undefined) res.setHeader('Content-Length', this.#bytes)
    res.setHeader('Content-Disposition', `attachment; filename="${this.#fileName}"`)
    if (req.method === 'HEAD') {
      res.end()
      return
    }
    // Node's `pipeline` does the same with so many listeners that it warns of a leak.
    try {
      for await (const piece of this.#pieces) await write(res, piece)
      res.end()
    } catch (error) {
      res.destroy()
      throw error
    }
  }
}
