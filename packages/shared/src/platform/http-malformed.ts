import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errors } from '../catalogue/errors.ts'
import { canAnswerLast, endAnswered, passDrain } from './http-connections.ts'

type Headers = Readonly<Record<string, string>>

/**
 * Answers what never becomes a request of the application with the same body and headers as any other error, where Node would
 * send a bare status.
 * @param headers those that every answer has
 */
export function refuseMalformed(server: Server, headers: Headers): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else endLast(socket as Socket, clientErrors[error.code ?? ''] ?? 'malformed_request', headers)
  })
  // Refused by `wellFormed`, so in its turn: answers to earlier requests of the connection come first.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  // CONNECT is for proxies, which this is not. Without a listener Node would close the connection without an answer.
  server.on('connect', (_req, socket) => {
    // Node has taken its own listeners off the socket. Without one, an error of the connection would end the process.
    socket.on('error', () => {})
    passDrain(socket as Socket)
    endLast(socket as Socket, 'method_not_allowed', headers)
  })
}

/** Ends a connection on which nothing more can be asked: with the answers to what was asked before, or else with this error. */
function endLast(socket: Socket, code: ErrorCode, headers: Headers): void {
  if (socket.writable && endAnswered(socket)) return
  if (socket.writable && canAnswerLast(socket)) endWith(socket, code, headers)
  else socket.destroy()
}

/** Refuses the requests that Node lets pass although they are malformed or expect what is unknown. The server needs `requireHostHeader: false`. */
export function wellFormed(answer: RequestListener, headers: Headers): RequestListener {
  return (req, res) => {
    if (!hasHost(req) || !isCodingKnown(req)) endWith(req.socket, 'malformed_request', headers)
    else if (!isExpectationKnown(req)) endWith(req.socket, 'expectation_failed', headers)
    else answer(req, res)
  }
}

const hasHost = ({ headers, httpVersionMinor }: IncomingMessage): boolean =>
  headers.host !== undefined || httpVersionMinor < 1

/**
 * Node takes any list that ends with `chunked` for chunked alone, and would read a compressed body as it is. HTTP/1.0 knows no
 * codings: a proxy of that version may see the body end elsewhere, and what follows as another request.
 */
const isCodingKnown = ({
  headers: { 'transfer-encoding': coding },
  httpVersionMinor,
}: IncomingMessage): boolean =>
  coding === undefined || (httpVersionMinor > 0 && coding.toLowerCase() === 'chunked')

/** HTTP/1.0 knows no expectations: they are ignored there, as Node does. */
const isExpectationKnown = ({ headers: { expect }, httpVersionMinor }: IncomingMessage): boolean =>
  expect === undefined || httpVersionMinor < 1 || expect.toLowerCase() === '100-continue'

/** Clients have this long to receive the answer. Closed at once, a connection with bytes that were not read would lose it. */
const farewellMs = 1_000

/** Writes an error answer like those of the application straight to the socket, and closes the connection. */
export function endWith(socket: Duplex, code: ErrorCode, headers: Headers): void {
  const { status, detail } = errors[code]
  const body = JSON.stringify({ detail })
  const all = {
    Connection: 'close',
    'X-Request-Id': randomUUID(),
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // Node ends no connection that it was not told of: a client that never closes its side would keep it for ever.
  setTimeout(() => socket.destroy(), farewellMs).unref()
}

const clientErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
}
