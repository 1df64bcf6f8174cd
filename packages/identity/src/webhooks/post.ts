import { type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Address } from './special-addresses.ts'

const answerBytesMax = 64 * 1024
const keptBytesMax = 1024

export interface Post {
  url: URL
  headers: Record<string, string>
  body: string
  /** The checked addresses to connect to, whatever the host resolves to by now. */
  addresses: readonly Address[]
  /** Ends it. */
  signal: AbortSignal
}

/** The relevant parts of an answer. */
export interface Answer {
  status: number
  retryAfter: string | undefined
  /** The beginning of its body. */
  beginning: string
}

/**
 * Sends one POST on a separate connection. Redirects are not followed. The first KiB of the answer's body is returned, and no
 * more than 64 KiB are read.
 * @throws when no answer begins before the signal fires
 */
export function post({ url, headers, body, addresses, signal }: Post): Promise<Answer> {
  const send = url.protocol === 'https:' ? requestSecure : requestPlain
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' },
    lookup: pinnedTo(addresses),
    rejectUnauthorized: true,
    signal,
  }
  return new Promise((resolve, reject) => {
    // The status is known once the answer begins, and that is what counts: failures while reading its body are ignored.
    let giveAnswer: (() => void) | undefined
    const request = send(url, options, (response) => {
      const kept: Buffer[] = []
      let bytes = 0
      giveAnswer = () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          beginning: textOf(Buffer.concat(kept)),
        })
      response.on('data', (chunk: Buffer) => {
        if (bytes < keptBytesMax) kept.push(Buffer.from(chunk.subarray(0, keptBytesMax - bytes)))
        bytes += chunk.length
        if (bytes > answerBytesMax) request.destroy()
      })
      response.on('error', () => {})
      response.on('close', giveAnswer)
    })
    request.on('error', (error) => {
      if (giveAnswer === undefined) reject(error)
      else giveAnswer()
    })
    // An answer in another protocol does not count.
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('The receiver answered by another protocol.'))
    })
    request.end(body)
  })
}

/**
 * Reads a document over https, on a connection of its own. Only an answer of 200 counts: redirects lead to addresses that nobody
 * has looked at.
 * @throws when it is none, is longer than `bytesMax`, or does not come before the signal fires
 */
export function fetchText(
  { url, addresses, signal }: Pick<Post, 'url' | 'addresses' | 'signal'>,
  bytesMax: number,
): Promise<string> {
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    agent: false,
    headers: { Accept: 'application/json', Connection: 'close' },
    lookup: pinnedTo(addresses),
    rejectUnauthorized: true,
    signal,
  }
  return new Promise((resolve, reject) => {
    const request = requestSecure(url, options, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      if (response.statusCode !== 200) request.destroy(new Error(`The answer is ${response.statusCode}.`))
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > bytesMax) request.destroy(new Error('The document is too long.'))
        else chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    })
    request.on('error', reject)
    request.end()
  })
}

function pinnedTo(addresses: readonly Address[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses
    if (first === undefined) callback(new Error('There is no address.'), '', 4)
    else if (options.all) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}

/**
 * Reads whatever bytes a receiver sends as text that can be stored and shown: what is no UTF-8, and NUL, which
 * PostgreSQL's text can't hold, becomes U+FFFD. A character that the end cuts is left out. At most 1 KiB as UTF-8.
 */
export function textOf(bytes: Uint8Array): string {
  // `stream` keeps the beginning of a character for bytes that never come.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
  const printable = text.replaceAll('\0', '\uFFFD')
  const { read } = new TextEncoder().encodeInto(printable, new Uint8Array(keptBytesMax))
  return printable.slice(0, read)
}
