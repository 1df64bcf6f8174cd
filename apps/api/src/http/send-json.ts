import type { ServerResponse } from 'node:http'
import { ApiError } from '@memory/shared/catalogue/errors'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'

/** Parts are joined into chunks of at least this many characters: a write costs more than joining short texts. */
const chunkLength = 8_192
/** The most characters of one write, for answers that are written as the client takes them. */
const pieceLength = 65_536
/** Answers of more bytes than this are written piece by piece, as the client takes them. */
const atOnceLength = 262_144
/** After this long, other requests get a turn: a client that takes everything at once must not make them wait. */
const streamedMs = 1

interface Chunk {
  text: string
  encoding: 'latin1' | 'utf8'
}

/** An answer whose JSON text is complete. */
export class JsonAnswer {
  #bytes = 0
  readonly #chunks: Chunk[] = []

  /** @param parts the text, in parts that are joined */
  static of(parts: readonly string[]): JsonAnswer {
    const answer = new JsonAnswer()
    for (const text of inChunks(parts)) answer.#add(text)
    return answer
  }

  /** Like `of`, but answers other requests in between while it prepares a long text. */
  static async inTurns(parts: readonly string[]): Promise<JsonAnswer> {
    const answer = new JsonAnswer()
    for (const text of inChunks(parts)) {
      // A short answer, of one chunk, waits for nobody.
      if (answer.#chunks.length > 0) await yieldToEventLoop(streamedMs)
      answer.#add(text)
    }
    return answer
  }

  get bytes(): number {
    return this.#bytes
  }

  #add(text: string): void {
    const chunk = toChunk(text)
    this.#bytes += chunk.bytes
    this.#chunks.push(chunk)
  }

  /** Sends the answer once; a long one piece by piece, as the client takes it, freeing each piece that was sent. */
  send(res: ServerResponse, status: number): void {
    res.statusCode = status
    res.setHeader('Content-Type', 'application/json')
    res.setHeader('Content-Length', this.bytes)
    const chunks = this.#chunks
    if (this.bytes > atOnceLength) {
      writeAsTaken(res, inPieces(chunks.splice(0)))
      return
    }
    const last = chunks.pop()
    for (const { text, encoding } of chunks) res.write(text, encoding)
    if (last === undefined) res.end()
    else res.end(last.text, last.encoding)
  }
}

/** Sends complete JSON text, in one part or several. */
export function sendJson(res: ServerResponse, status: number, ...parts: readonly string[]): void {
  JsonAnswer.of(parts).send(res, status)
}

/**
 * Sends JSON text that is produced as the client takes it.
 * @throws ApiError abandoned when the client hangs up; whatever `rest` throws. The connection is then closed, which tells
 *   the client that the text is incomplete
 */
export async function streamJson(
  res: ServerResponse,
  status: number,
  first: readonly string[],
  rest: AsyncIterable<string>,
): Promise<void> {
  res.statusCode = status
  res.setHeader('Content-Type', 'application/json')
  try {
    for (const text of first) await writeText(res, text)
    for await (const text of rest) {
      await writeText(res, text)
      await yieldToEventLoop(streamedMs)
    }
    res.end()
  } catch (error) {
    res.destroy()
    throw error
  }
}

/**
 * Sends bytes that all answers share, piece by piece as the client takes them. Anybody may ask for them, on many connections at
 * once, so other requests are answered in between.
 */
export async function sendBytes(res: ServerResponse, bytes: Buffer): Promise<void> {
  await writePieces(res, bytes).catch((error) => {
    // The client has hung up: no answer is needed, and it is no error.
    if (!res.closed) throw error
  })
  res.end()
}

/** Writes piece by piece: how much of one the client has taken shows when it has taken all. @throws ApiError abandoned */
export async function writePieces(res: ServerResponse, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += pieceLength) {
    await write(res, bytes.subarray(at, at + pieceLength))
    await yieldToEventLoop(streamedMs)
  }
}

/** Writes, and waits until the client has taken enough for more. @throws ApiError abandoned */
export async function write(
  res: ServerResponse,
  part: string | Uint8Array,
  encoding: BufferEncoding = 'utf8',
): Promise<void> {
  if (res.closed) throw new ApiError('abandoned')
  if (res.write(part, encoding)) return
  await new Promise<void>((resolve, reject) => {
    const onDrain = () => {
      res.off('close', onClose)
      resolve()
    }
    const onClose = () => {
      res.off('drain', onDrain)
      reject(new ApiError('abandoned'))
    }
    res.once('drain', onDrain)
    res.once('close', onClose)
  })
}

function writeText(res: ServerResponse, text: string): Promise<void> {
  return write(res, text, toChunk(text).encoding)
}

/** Writes pieces as the client takes them. When it hangs up, no `drain` follows and the remaining pieces are freed. */
function writeAsTaken(res: ServerResponse, pieces: Iterator<Chunk>): void {
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    if (res.closed) return
    if (res.write(next.value.text, next.value.encoding)) continue
    res.once('drain', () => writeAsTaken(res, pieces))
    return
  }
  res.end()
}

/**
 * Chooses the faster encoding. For ASCII text latin1 gives the same bytes as UTF-8, for which Node reserves three times the
 * memory and inspects each character.
 */
function toChunk(text: string): Chunk & { bytes: number } {
  const bytes = Buffer.byteLength(text)
  return { text, encoding: bytes === text.length ? 'latin1' : 'utf8', bytes }
}

/** Joins short parts into chunks of at least `chunkLength` characters. */
function* inChunks(parts: readonly string[]): Generator<string> {
  let chunk = ''
  for (const part of parts) {
    chunk += part
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

function* inPieces(chunks: Chunk[]): Generator<Chunk> {
  for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
    const { text, encoding } = chunk
    for (let at = 0; at < text.length; ) {
      let end = Math.min(text.length, at + pieceLength)
      // A surrogate pair must not be cut: its halves are one character.
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
      yield { text: text.slice(at, end), encoding }
      at = end
    }
  }
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
