import { isUtf8 } from 'node:buffer'
import { parseVectors, parseVectorsLater } from '@memory/engine/kernels/kernels'
import type { IsVectorPlace } from '@memory/engine/kernels/vector-parse'
import { ApiError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { Semaphore } from '@memory/shared/platform/semaphore'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { type JsonBounds, longBytes, parseJson } from './parse-json.ts'

/** A request's body: the bytes as sent (after inflation) and the JSON value; undefined when there is none. */
export interface Body {
  bytes: Buffer
  /** The most bytes that it might have had. */
  bytesMax: number
  value: unknown
  /** Whether long arrays of numbers in `value` were read as Float32Array. */
  hasVectors: boolean
}

const readers = new Map<number, RequestHandler>()

/** Arrays of fewer numbers are left to JSON.parse, which is as fast for them. */
const vectorLeast = 32
/**
 * Limits how many bodies over `longBytes` have their vectors parsed at the same time: each occupies one of the four threads of
 * libuv. Parsing `longBytes` takes 0.4 ms, 8 MB take 12 ms.
 */
const readingLong = new Semaphore({ slots: 2 })

/**
 * Parses the bytes of a JSON body, of which there might have been `bytesMax`.
 * @throws ApiError malformed_content_type, malformed_json, body_too_large
 */
export async function parseBody(
  req: Request,
  bytes: Buffer | undefined,
  bytesMax: number,
  isVectorPlace?: IsVectorPlace,
): Promise<Body | undefined> {
  if (bytes === undefined || bytes.length === 0) return undefined
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw new ApiError('malformed_content_type')
  }
  const value = await parse(textOf(bytes), boundsOf(bytesMax), isVectorPlace)
  return { bytes, bytesMax, value, hasVectors: isVectorPlace !== undefined }
}

/** Parses a body again without Float32Arrays, to get its numbers exactly as they were sent. */
export function parsePlainly({ bytes, bytesMax }: Body): Promise<unknown> {
  return parseJson(textOf(bytes), boundsOf(bytesMax))
}

const boundsOf = (bytesMax: number): JsonBounds => ({ valuesMax: bytesMax / limits.bodyValueBytes })

/**
 * Frees the memory of a long body at once; its bytes must not be read afterwards. Left to the garbage collector, such memory
 * makes it run more often: with batches of 8 MB it paused all requests three times as often.
 */
export function freeBytes({ bytes }: Body): void {
  const { buffer } = bytes
  if (bytes.length > longBytes && bytes.length === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0)
}

/** Reads a body's bytes, after inflation. @throws ApiError body_too_large, malformed_json, malformed_content_type */
export function readBytes(req: Request, res: Response, bytesMax: number): Promise<Buffer | undefined> {
  const { 'content-length': length, 'content-encoding': encoding } = req.headers
  // Most bodies have a Content-Length and no encoding. For those Express' reader costs more than reading the bytes does.
  if (length !== undefined && encoding === undefined && Number(length) <= bytesMax) {
    return readPlain(req, Number(length))
  }
  let reader = readers.get(bytesMax)
  if (reader === undefined) {
    reader = express.raw({ type: () => true, limit: bytesMax })
    readers.set(bytesMax, reader)
  }
  const read = reader
  return new Promise((resolve, reject) => {
    read(req, res, (error?: unknown) => {
      if (error === undefined) resolve(Buffer.isBuffer(req.body) ? req.body : undefined)
      else reject(toApiError(error))
    })
  })
}

/**
 * Reads a body of known length. The HTTP parser makes sure of the length: it ends the body there, or fails when the connection
 * ends before. Chunks are copied into the final buffer as they arrive: joined at the end, they would take twice the memory.
 */
function readPlain(req: Request, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The connection may have ended while the caller was being looked up.
    if (req.destroyed) throw new ApiError('malformed_json')
    let body: Buffer | undefined
    let at = 0
    req.on('data', (chunk: Buffer) => {
      if (chunk.length === length) body = chunk
      else {
        body ??= Buffer.allocUnsafe(length)
        body.set(chunk, at)
        at += chunk.length
      }
    })
    req.once('end', () => resolve(body ?? Buffer.alloc(0)))
    req.once('error', (cause) => reject(new ApiError('malformed_json', { cause })))
  })
}

function toApiError(error: unknown): unknown {
  const status = (error as { status?: unknown }).status
  if (status === 413) return new ApiError('body_too_large', { cause: error })
  if (status === 415) {
    return new ApiError('malformed_content_type', {
      detail: 'Content-Encoding is not supported',
      cause: error,
    })
  }
  return typeof status === 'number' && status < 500 ? new ApiError('malformed_json', { cause: error }) : error
}

/** The UTF-8 byte order mark, which programs on Windows put at the start of a text. */
const byteOrderMark = Buffer.from('\ufeff')

async function parse(text: Buffer, bounds: JsonBounds, isVectorPlace?: IsVectorPlace): Promise<unknown> {
  const parseRest = (rest: Uint8Array) => parseJson(rest, bounds)
  try {
    if (isVectorPlace === undefined) return await parseRest(text)
    const options = { least: vectorLeast, isVectorPlace, parse: parseRest, turn: yieldToEventLoop }
    if (text.length <= longBytes) return await parseVectors(text, options)
    return await readingLong.run(() => parseVectorsLater(text, options))
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('malformed_json', { cause: error })
  }
}

/** The bytes without a byte order mark. @throws ApiError malformed_json when they are not UTF-8 */
function textOf(sent: Buffer): Buffer {
  if (!isUtf8(sent)) throw new ApiError('malformed_json')
  return sent.subarray(byteOrderMark.equals(sent.subarray(0, 3)) ? 3 : 0)
}
