import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'

/** An answer of bytes, sent piece by piece as fast as the client takes them. */
export class Download {
  readonly #media: string
  readonly #fileName: string
  readonly #bytes: number
  readonly #pieces: AsyncIterable<Uint8Array>

  /** @param pieces `bytes` bytes in all, read as they are needed */
  constructor(media: string, fileName: string, bytes: number, pieces: AsyncIterable<Uint8Array>) {
    this.#media = media
    this.#fileName = fileName
    this.#bytes = bytes
    this.#pieces = pieces
  }

  /** @throws when reading the pieces fails: the connection is closed then, so that the client knows */
  async send(req: Request, res: Response, status: number): Promise<void> {
    res.statusCode = status
    res.setHeader('Content-Type', this.#media)
    res.setHeader('Content-Length', this.#bytes)
    res.setHeader('Content-Disposition', `attachment; filename="${this.#fileName}"`)
    if (req.method === 'HEAD') {
      res.end()
      return
    }
    try {
      await pipeline(Readable.from(this.#pieces, { objectMode: false }), res)
    } catch (error) {
      // A client that hangs up is no failure of ours.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    }
  }
}
