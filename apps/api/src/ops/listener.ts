import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { OperatorRequest, operateKeys } from '@memory/shared/keys/operator'
import { KeyRefused } from '@memory/shared/keys/service'
import type { Context } from '../context.ts'

const maxBodyBytes = 64 * 1024

/** A request that is answered with `status` and the message. */
class BadRequest extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * The operators' listener, on an address of its own that tenants don't reach. `/metrics` is open to whoever reaches
 * it; `/ops/keys`, by which `npm run keys` works beside a running embedded database, needs the token of this start.
 */
export function createOpsServer(
  context: Pick<Context, 'metrics' | 'database' | 'clock' | 'log'>,
  token: string,
): Server {
  return createServer((req, res) => {
    handle(context, token, req, res).catch((error) => {
      if (error instanceof KeyRefused) {
        answer(res, 409, { detail: error.message })
        return
      }
      if (error instanceof BadRequest) {
        // What is left of the body is not read, so the connection can't be used again.
        res.setHeader('Connection', 'close')
        answer(res, error.status, { detail: error.message })
        return
      }
      context.log.error({ err: error }, 'operator request failed')
      answer(res, 500, { detail: 'Internal server error' })
    })
  })
}

async function handle(
  { metrics, database, clock }: Pick<Context, 'metrics' | 'database' | 'clock'>,
  token: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (req.method === 'GET' && req.url === '/metrics') {
    const text = await metrics.registry.metrics()
    res.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text)
  } else if (req.method === 'POST' && req.url === '/ops/keys') {
    if (!isAuthorized(req, token)) {
      answer(res, 401, { detail: 'Not authenticated' })
      return
    }
    const request = OperatorRequest.safeParse(await readJson(req))
    if (request.success) answer(res, 200, await operateKeys(database.queries, request.data, clock.now()))
    else answer(res, 422, { detail: request.error.message })
  } else {
    answer(res, 404, { detail: 'Not Found' })
  }
}

/** @throws BadRequest */
async function readJson(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Leaving the loop must not destroy the connection that the answer goes through.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length
    if (bytes > maxBodyBytes) throw new BadRequest(413, `The body is larger than ${maxBodyBytes} bytes`)
    chunks.push(chunk as Buffer)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new BadRequest(400, 'The body is not valid JSON')
  }
}

function isAuthorized(req: IncomingMessage, token: string): boolean {
  const given = Buffer.from(req.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function answer(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
