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

/** The API's server: slow or oversized requests are closed before they cost anything. */
export function createApiServer(app: RequestListener): Server {
  const server = createServer(
    // Checked each second: Node's default of 30 s would let slow clients stay that much longer than the limits below.
    // A request without Host is refused below: Node's own answer has none of our headers.
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
  // Asked for by CONNECT: this is no proxy. Without a listener Node closes the connection and says nothing.
  server.on('connect', (_req, socket) => endWith(socket, 'method_not_allowed'))
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  // Longer than the idle time of usual load balancers, so that they close first.
  server.keepAliveTimeout = 65_000
  server.on('clientError', answerClientError)
  return server
}

/** What Node refuses before there is a request: the same body as any other error, then the connection ends. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isGone = error.code === 'ECONNRESET' || !socket.writable
  if (!isGone && endAnswered(socket as Socket)) return
  if (isGone || !canAnswerLast(socket as Socket)) socket.destroy()
  else endWith(socket, clientErrors[error.code ?? ''] ?? 'malformed_request')
}

/** At the end of a stop a client is told to ask again: what it asked for may be done all the same. */
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

/** By then another process, or the next one, answers. */
const retryAfterS = 5

/** Ends a connection with an error that looks like those of the application. */
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
