import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errors } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'

/** The API's server: slow or oversized requests are closed before they cost anything. */
export function createApiServer(app: RequestListener): Server {
  const server = createServer(
    // Checked each second: Node's default of 30 s would let slow clients stay that much longer than the limits below.
    { maxHeaderSize: limits.headerBytes, connectionsCheckingInterval: 1_000 },
    app,
  )
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  // Longer than the idle time of usual load balancers, so that they close first.
  server.keepAliveTimeout = 65_000
  server.on('clientError', answerClientError)
  return server
}

/** What Node refuses before there is a request: the same body as any other error, then the connection ends. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, detail } = errors[clientErrors[error.code ?? ''] ?? 'malformed_request']
  const body = JSON.stringify({ detail })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nX-Request-Id: ${randomUUID()}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

const clientErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
}
