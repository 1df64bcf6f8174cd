import { isUtf8 } from 'node:buffer'
import { parseVectors, parseVectorsLater } from '@memory/engine/kernels/kernels'
import type { IsVectorPlace } from '@memory/engine/kernels/vector-parse'
import { ApiError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { Semaphore } from '@memory/shared/platform/semaphore'
import express, { type Request, type RequestHandler, type Response } from 'express'

/** A request's body: the bytes as sent (after inflation) and the JSON value; undefined when there is none. */
export interface Body {
  bytes: Buffer
  value: unknown
  /** Whether vectors of the value were read as Float32Array. */
  hasVectors: boolean
}

const readers = new Map<number, RequestHandler>()

/** Shorter arrays of numbers are read as fast by JSON.parse. */
const vectorLeast = 32
/** The vectors of a longer body are read in another thread: this many bytes take 0.4 ms, and 8 MB 12 ms. */
const longBytes = 2 ** 18
/** Long bodies that are read at once: each takes one of the four threads that Node has for files. */
const readingLong = new Semaphore({ slots: 2 })

/**
 * Reads a JSON body of up to `bytesMax`, counted after inflation.
 * @param isVectorPlace where long arrays of numbers become Float32Arrays
 * @throws ApiError malformed_content_type, malformed_json, body_too_large
 */
export async function readJsonBody(
  req: Request,
  res: Response,
  bytesMax: number,
  isVectorPlace?: IsVectorPlace,
): Promise<Body | undefined> {
  return parseBody(req, await readBytes(req, res, bytesMax), isVectorPlace)
}

/**
 * The JSON value of a body's bytes.
 * @throws ApiError malformed_content_type, malformed_json
 */
export async function parseBody(
  req: Request,
  bytes: Buffer | undefined,
  isVectorPlace?: IsVectorPlace,
): Promise<Body | undefined> {
  if (bytes === undefined || bytes.length === 0) return undefined
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw new ApiError('malformed_content_type')
  }
  return { bytes, value: await parseJson(bytes, isVectorPlace), hasVectors: isVectorPlace !== undefined }
}

/** The value of a body that was read before, with its numbers as they were sent. */
export function parsePlainly({ bytes }: Body): unknown {
  return parseShallow(textOf(bytes))
}

/**
 * Gives the memory of a long body's bytes back, which nobody may read any more. The garbage collector would do so later, and
 * is hurried by such memory: with batches of 8 MB it held everybody up three times as often.
 */
export function freeBytes({ bytes }: Body): void {
  const { buffer } = bytes
  if (bytes.length > longBytes && bytes.length === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0)
}

/** Reads a body's bytes, after inflation. @throws ApiError body_too_large, malformed_json, malformed_content_type */
export function readBytes(req: Request, res: Response, bytesMax: number): Promise<Buffer | undefined> {
  const { 'content-length': length, 'content-encoding': encoding } = req.headers
  // Most bodies say how long they are and are sent as they are; Express' reader costs more than reading them.
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
 * A body of a known length: the HTTP parser ends it there, or fails it when the connection ends before. Its bytes are put
 * where they stay as they come: kept until the end, they would take twice the memory.
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

/** What programs on Windows put ahead of UTF-8. */
const byteOrderMark = Buffer.from('\ufeff')

async function parseJson(sent: Buffer, isVectorPlace?: IsVectorPlace): Promise<unknown> {
  const text = textOf(sent)
  try {
    if (isVectorPlace === undefined) return parseShallow(text)
    if (text.length <= longBytes) return parseVectors(text, vectorLeast, isVectorPlace, parseShallow)
    return await readingLong.run(() => parseVectorsLater(text, vectorLeast, isVectorPlace, parseShallow))
  } catch (error) {
    throw new ApiError('malformed_json', { cause: error })
  }
}

/** @throws ApiError malformed_json for what is not UTF-8 */
function textOf(sent: Buffer): Buffer {
  if (!isUtf8(sent)) throw new ApiError('malformed_json')
  return sent.subarray(byteOrderMark.equals(sent.subarray(0, 3)) ? 3 : 0)
}

function parseShallow(text: Uint8Array): unknown {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  if (isDeeperThan(bytes, limits.jsonDepth)) throw new SyntaxError('nested too deeply')
  return JSON.parse(bytes.toString('utf8'))
}

const quote = 0x22
const backslash = 0x5c

/** Whether arrays and objects are nested deeper than `depthMax`; strings are skipped. */
function isDeeperThan(bytes: Buffer, depthMax: number): boolean {
  // Most bodies open fewer brackets than that in all, which is found out much faster.
  if (count(bytes, 0x5b, depthMax) + count(bytes, 0x7b, depthMax) <= depthMax) return false
  let depth = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === backslash) i++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    // [ and { differ in one bit, as do ] and }.
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > depthMax) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}

/** How often a byte occurs, counted up to `enough` + 1. */
function count(bytes: Buffer, byte: number, enough: number): number {
  let found = 0
  for (let at = bytes.indexOf(byte); at !== -1 && found <= enough; at = bytes.indexOf(byte, at + 1)) found++
  return found
}
