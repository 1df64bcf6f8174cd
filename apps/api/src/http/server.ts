import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errors } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import {
  canAnswerLast,
  endAnswered,
  endUnread,
  inOrder,
  isUnanswered,
} from '@memory/shared/platform/http-connections'
import { drainEnds } from '@memory/shared/platform/http-server'
import { securityHeaderValues } from './edge.ts'

/** The API's HTTP server, with limits that end slow or oversized requests early. */
export function createApiServer(app: RequestListener): Server {
  const server = createServer(
    // The time-outs below are checked each second: with Node's default of 30 s, slow clients could exceed them by that much.
    // A request without Host is refused below, since Node's own answer would have none of our headers.
    { maxHeaderSize: limits.headerBytes, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    inOrder((req, res) => {
      if (req.headers.host === undefined && req.httpVersionMinor >= 1)
        endWith(req.socket, 'malformed_request')
      else app(req, res)
    }),
  )
  endUnread(server)
  answerLate(server)
  server.on('checkExpectation', ({ socket }) => endWith(socket, 'expectation_failed'))
  // CONNECT is for proxies, which this is not. Without a listener Node would close the connection without an answer.
  server.on('connect', (_req, socket) => endWith(socket, 'method_not_allowed'))
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  // Longer than the idle time of usual load balancers, so that they close first.
  server.keepAliveTimeout = 65_000
  server.on('clientError', answerClientError)
  return server
}

/** Answers what Node can't parse as a request, with the same body as any other error, and closes the connection. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isGone = error.code === 'ECONNRESET' || !socket.writable
  if (!isGone && endAnswered(socket as Socket)) return
  if (isGone || !canAnswerLast(socket as Socket)) socket.destroy()
  else endWith(socket, clientErrors[error.code ?? ''] ?? 'malformed_request')
}

/**
 * When the time for draining is over, answers requests that are still running with 503. The work of such a request may have
 * been done nevertheless.
 */
function answerLate(server: Server): void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on(drainEnds, () => {
    for (const socket of sockets) {
      if (isUnanswered(socket)) endWith(socket, 'unavailable', { 'Retry-After': String(retryAfterS) })
    }
  })
}

/** By then another process, or this one restarted, can answer. */
const retryAfterS = 5

/** Writes an error answer like those of the application straight to the socket, and closes the connection. */
function endWith(socket: Duplex, code: ErrorCode, more: Record<string, string> = {}): void {
  const { status, detail } = errors[code]
  const body = JSON.stringify({ detail })
  const headers = {
    Connection: 'close',
    'X-Request-Id': randomUUID(),
    ...securityHeaderValues,
    ...more,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

const clientErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
}
