import type { Request, Response } from 'express'
import { writePieces } from './send-json.ts'

/** A file as an answer, sent piece by piece as fast as the client takes it. */
export class Download {
  readonly #media: string
  readonly #fileName: string
  readonly #bytes: number | undefined
  readonly #pieces: AsyncIterable<Uint8Array>

  /**
   * @param bytes the length of all pieces together; undefined when unknown
   * @param pieces the contents, read as they are needed
   */
  constructor(media: string, fileName: string, bytes: number | undefined, pieces: AsyncIterable<Uint8Array>) {
    this.#media = media
    this.#fileName = fileName
    this.#bytes = bytes
    this.#pieces = pieces
  }

  /**
   * @throws ApiError abandoned when the client hangs up; whatever reading the pieces throws. Where part of the file was sent,
   *   the connection is then closed, which tells the client that it is incomplete
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
    // Node's `pipeline` would do the same, but adds so many listeners that Node warns of a leak.
    try {
      for await (const bytes of this.#pieces) await writePieces(res, bytes)
      res.end()
    } catch (error) {
      if (res.headersSent) res.destroy()
      else res.removeHeader('Content-Disposition')
      throw error
    }
  }
}
