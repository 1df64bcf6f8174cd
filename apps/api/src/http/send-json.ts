import type { ServerResponse } from 'node:http'
import { ApiError } from '@memory/shared/catalogue/errors'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'

/** Characters that are worth a write of their own. */
const chunkLength = 8_192
/** Characters of a write at most, where an answer waits for its client. */
const pieceLength = 65_536
/** What is longer is written as the client takes it. */
const atOnceLength = 262_144
/** A client that takes all at once is not to keep others waiting: they are answered after so long. */
const streamedMs = 1

interface Chunk {
  text: string
  encoding: 'latin1' | 'utf8'
}

/** JSON text that is complete as it is. */
export class JsonAnswer {
  #bytes = 0
  readonly #chunks: Chunk[] = []

  /** @param parts one after the other they are the text */
  static of(parts: readonly string[]): JsonAnswer {
    const answer = new JsonAnswer()
    for (const text of inChunks(parts)) answer.#add(text)
    return answer
  }

  /** As `of`; others are answered while a long text is looked at. */
  static async inTurns(parts: readonly string[]): Promise<JsonAnswer> {
    if (parts.length === 1) return JsonAnswer.of(parts)
    const answer = new JsonAnswer()
    for (const text of inChunks(parts)) {
      answer.#add(text)
      await yieldToEventLoop(streamedMs)
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

  /** Sends it, a long one piece by piece as the client takes it. What was sent is let go of. */
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

/** Sends JSON text that is complete as it is, in one part or several. */
export function sendJson(res: ServerResponse, status: number, ...parts: readonly string[]): void {
  JsonAnswer.of(parts).send(res, status)
}

/**
 * Sends JSON text that is made as the client takes it.
 * @throws ApiError abandoned when the client hangs up, and what making it throws; the connection is closed then, so that
 *   the client knows that the text is not whole
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

/** Nothing holds the pieces once the connection is closed, since no `drain` comes any more. */
function writeAsTaken(res: ServerResponse, pieces: Iterator<Chunk>): void {
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    if (res.closed) return
    if (res.write(next.value.text, next.value.encoding)) continue
    res.once('drain', () => writeAsTaken(res, pieces))
    return
  }
  res.end()
}

/** Of ASCII both encodings are the same bytes; Node sets three times the room aside for UTF-8, and looks at each character. */
function toChunk(text: string): Chunk & { bytes: number } {
  const bytes = Buffer.byteLength(text)
  return { text, encoding: bytes === text.length ? 'latin1' : 'utf8', bytes }
}

/** Parts of a text that are worth a write each: a write of few characters costs more than joining them. */
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
      // Two halves of a surrogate pair are one character.
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
      yield { text: text.slice(at, end), encoding }
      at = end
    }
  }
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
