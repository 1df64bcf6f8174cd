import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { OperatorRequest, operateKeys } from '@memory/shared/keys/operator'
import { KeyRefused } from '@memory/shared/keys/service'
import type { Context } from '../context.ts'

/**
 * The operators' listener, on an address of its own that tenants don't reach. `/metrics` is open to whoever reaches
 * it; `/ops/keys`, by which `npm run keys` works beside a running embedded database, needs the token of this start.
 */
export function createOpsServer(
  context: Pick<Context, 'metrics' | 'database' | 'log'>,
  token: string,
): Server {
  return createServer((req, res) => {
    handle(context, token, req, res).catch((error) => {
      if (error instanceof KeyRefused) {
        answer(res, 409, { detail: error.message })
        return
      }
      context.log.error({ err: error }, 'operator request failed')
      answer(res, 500, { detail: 'Internal server error' })
    })
  })
}

async function handle(
  { metrics, database }: Pick<Context, 'metrics' | 'database'>,
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
    const request = OperatorRequest.safeParse(await json(req))
    if (request.success) answer(res, 200, await operateKeys(database.queries, request.data))
    else answer(res, 422, { detail: request.error.message })
  } else {
    answer(res, 404, { detail: 'Not Found' })
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
