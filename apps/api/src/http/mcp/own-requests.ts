import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { duplexPair } from 'node:stream'
import type { Fetch } from 'memory-service-sdk'
import { forwarding } from '../forwarding.ts'
import { mcpPath } from './paths.ts'

/** Headers that are passed on: they say who sends a request, for which space, from where and with which program. */
const carried = [
  'authorization',
  'x-api-key',
  'x-organization-id',
  'x-memory-environment',
  'x-memory-actor',
  'user-agent',
  'traceparent',
  'tracestate',
  ...forwarding,
]

const ownConnections = new WeakSet<object>()

/** Whether a request is for the MCP server, or is one of the requests that this makes to the API. */
export const isForMcp = ({ path, socket }: { path: string; socket: object }): boolean =>
  path === mcpPath || ownConnections.has(socket)

/**
 * Makes requests to the API on behalf of the sender of another request. They use HTTP, but stay within the process. So the
 * scopes, quotas, limits, logs and audit of the operations apply, without implementing them a second time.
 */
export class OwnRequests {
  /** Listens on no port: connections are passed to it directly. */
  readonly #server: Server

  constructor(app: RequestListener) {
    this.#server = createServer(app)
  }

  /** A `fetch` that sends requests with the credentials of `req`. */
  fetchFor(req: IncomingMessage, requestId: string): Fetch {
    const { headers, socket } = req
    const own = Object.fromEntries(
      carried.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    )
    return (url, { method, headers: given, body, signal }) =>
      new Promise((resolve, reject) => {
        const [near, far] = duplexPair()
        ownConnections.add(far)
        this.#server.emit('connection', Object.assign(far, { remoteAddress: socket.remoteAddress }))
        const { pathname, search } = new URL(url)
        const text = typeof body === 'string' ? body : ''
        const sent = request(
          {
            createConnection: () => near,
            method,
            path: pathname + search,
            headers: {
              ...Object.fromEntries(new Headers(given)),
              ...own,
              host: 'localhost',
              'x-request-id': requestId,
              // Set explicitly, because Node adds it only for some methods.
              'content-length': Buffer.byteLength(text),
            },
            ...(signal != null && { signal }),
          },
          (answer) => {
            const chunks: Buffer[] = []
            answer.on('data', (chunk: Buffer) => chunks.push(chunk))
            answer.once('error', reject)
            answer.once('end', () => {
              const { statusCode: status = 0, rawHeaders } = answer
              resolve(
                new Response(status === 204 ? null : Buffer.concat(chunks), {
                  status,
                  headers: pairsOf(rawHeaders),
                }),
              )
            })
          },
        )
        sent.once('error', reject)
        sent.end(text)
      })
  }
}

function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i < rawHeaders.length; i += 2)
    pairs.push([rawHeaders[i] as string, rawHeaders[i + 1] as string])
  return pairs
}
