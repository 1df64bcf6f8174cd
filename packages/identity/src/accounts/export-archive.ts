import { setImmediate } from 'node:timers/promises'
import { Zip, ZipDeflate } from 'fflate'

/** Receives the next part of an archive. It is not called again before its promise has resolved. */
export type TakePart = (part: Uint8Array) => Promise<void>

/** The format's 32-bit sizes allow 4 GiB; this leaves room for its directory. */
const bytesMax = 2 ** 32 - 2 ** 24
/** Bytes compressed at a time, which takes some milliseconds; then others get a turn. */
const pieceBytes = 64 * 1024

/** Thrown when an archive would exceed the size that the format allows. */
export class ArchiveTooLarge extends Error {
  override name = 'ArchiveTooLarge'
}

/** Writes a ZIP archive in parts of about the same size. It keeps at most one part and one piece in memory. */
export class Archive {
  readonly #take: TakePart
  readonly #partBytes: number
  readonly #mtime: Date
  readonly #zip: Zip
  #ready: Uint8Array[] = []
  #readyBytes = 0
  #bytes = 0
  #error: Error | undefined

  constructor(take: TakePart, options: { partBytes: number; mtime: Date }) {
    this.#take = take
    this.#partBytes = options.partBytes
    this.#mtime = options.mtime
    this.#zip = new Zip((error, chunk) => {
      if (error !== null) this.#error = error
      else {
        this.#ready.push(chunk)
        this.#readyBytes += chunk.length
      }
    })
  }

  /** Adds a file. Its texts are read only as fast as the parts are taken. @throws ArchiveTooLarge */
  async add(name: string, texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const file = Object.assign(new ZipDeflate(name, { level: 6 }), { mtime: this.#mtime })
    this.#zip.add(file)
    let fileBytes = 0
    let gathered: Buffer[] = []
    let gatheredBytes = 0
    const compress = async () => {
      const bytes = Buffer.concat(gathered)
      gathered = []
      gatheredBytes = 0
      fileBytes += bytes.length
      if (fileBytes > bytesMax) throw new ArchiveTooLarge(`${name} is too large for a ZIP archive.`)
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        file.push(bytes.subarray(at, at + pieceBytes))
        await this.#flush(this.#partBytes)
        await setImmediate()
      }
    }
    for await (const text of texts) {
      const bytes = Buffer.from(text)
      gathered.push(bytes)
      gatheredBytes += bytes.length
      if (gatheredBytes >= pieceBytes) await compress()
    }
    await compress()
    file.push(new Uint8Array(0), true)
    await this.#flush(this.#partBytes)
  }

  /** Completes the archive. @returns its size in bytes @throws ArchiveTooLarge */
  async finish(): Promise<number> {
    this.#zip.end()
    await this.#flush(1)
    return this.#bytes
  }

  /** Hands on the bytes that are ready, if they are at least `atLeast`. */
  async #flush(atLeast: number): Promise<void> {
    if (this.#error !== undefined) throw this.#error
    if (this.#readyBytes < atLeast) return
    const part = Buffer.concat(this.#ready)
    this.#ready = []
    this.#readyBytes = 0
    this.#bytes += part.length
    if (this.#bytes > bytesMax) throw new ArchiveTooLarge('The export is too large for a ZIP archive.')
    await this.#take(part)
  }
}
