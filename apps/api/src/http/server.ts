import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '@memory/shared/catalogue/limits'
import { endUnread, inOrder, isUnanswered } from '@memory/shared/platform/http-connections'
import { endWith, refuseMalformed, wellFormed } from '@memory/shared/platform/http-malformed'
import { drainEnds } from '@memory/shared/platform/http-server'
import { securityHeaderValues } from './edge.ts'

/** The API's HTTP server, with limits that end slow or oversized requests early. */
export function createApiServer(app: RequestListener): Server {
  const server = createServer(
    // The time-outs below are checked each second: with Node's default of 30 s, slow clients could exceed them by that much.
    // A request without Host is refused by `wellFormed`, since Node's own answer would have none of our headers.
    { maxHeaderSize: limits.headerBytes, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    inOrder(wellFormed(app, securityHeaderValues)),
  )
  endUnread(server)
  answerLate(server)
  refuseMalformed(server, securityHeaderValues)
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  // Longer than the idle time of usual load balancers, so that they close first.
  server.keepAliveTimeout = 65_000
  return server
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
      if (isUnanswered(socket)) endWith(socket, 'unavailable', farewell)
    }
  })
}

/** By then another process, or this one restarted, can answer. */
const retryAfterS = 5
const farewell = { ...securityHeaderValues, 'Retry-After': String(retryAfterS) }
