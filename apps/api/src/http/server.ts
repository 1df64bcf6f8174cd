import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errors } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { ConfigError } from '@memory/shared/platform/config'

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

/**
 * Starts to listen.
 * @param setting the variable that chooses the port, for the message
 * @throws ConfigError when the address or port can't be had
 */
export function listen(server: Server, port: number, host: string, setting: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port, host, setting)))
    server.listen(port, host, () => resolve(server))
  })
}

export function addressOf(server: Server): { host: string; port: number } {
  const { address, port, family } = server.address() as AddressInfo
  return { host: family === 'IPv6' ? `[${address}]` : address, port }
}

function explain(error: NodeJS.ErrnoException, port: number, host: string, setting: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Port ${port} is in use: stop what listens there, or set ${setting} to another port.`,
      )
    case 'EACCES':
      return new ConfigError(
        `Port ${port} needs privileges this user lacks: set ${setting} to one above 1023.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(`This machine has no address ${host}: set HOST to one it has.`)
    default:
      return error
  }
}
