import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { operateUsers, UserRefused, UserRequest } from '@memory/shared/accounts/operator'
import { OperatorRequest, operateKeys } from '@memory/shared/keys/operator'
import { KeyRefused } from '@memory/shared/keys/service'
import { operateSigningKeys, SigningKeyRequest } from '@memory/shared/tokens/operator'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { isOwnRequest } from './own-request.ts'
import type { QueueBoard } from './queue-board.ts'

const maxBodyBytes = 64 * 1024

const boardPath = '/ops/queues'

const isBoardPath = (url = '') => /^\/ops\/queues(?:[/?]|$)/.test(url)

/** A request that is answered with `status` and the message. */
class BadRequest extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * The operators' listener, on an address of its own that tenants don't reach. `/metrics` and the page on the job queue,
 * `/ops/queues`, are open to whoever reaches it; `/ops/keys`, `/ops/accounts` and `/ops/users`, by which `npm run
 * keys` and `npm run accounts` work beside a running embedded database, need the token of this start.
 */
export function createOpsServer(
  context: Pick<Context, 'metrics' | 'database' | 'queue' | 'clock' | 'log' | 'accounts'>,
  token: string,
): Server {
  let opening: Promise<QueueBoard> | undefined
  /** Made when it is first asked for: few ever do. */
  const board = () => {
    opening ??= import('./queue-board.ts').then(({ createQueueBoard }) =>
      createQueueBoard(context.queue, boardPath),
    )
    return opening
  }
  return createServer((req, res) => {
    handle(context, token, board, req, res).catch((error) => {
      if (error instanceof KeyRefused || error instanceof UserRefused) {
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
  context: Pick<Context, 'metrics' | 'database' | 'clock' | 'accounts'>,
  token: string,
  board: () => Promise<QueueBoard>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { registry } = context.metrics
  if (isBoardPath(req.url)) {
    if (isOwnRequest(req)) (await board())(req, res)
    else answer(res, 403, { detail: 'Forbidden' })
    return
  }
  if (req.method === 'GET' && req.url === '/metrics') {
    const text = await registry.metrics()
    res.writeHead(200, { 'Content-Type': registry.contentType }).end(text)
    return
  }
  const operator = req.method === 'POST' ? operators(context)[req.url ?? ''] : undefined
  if (operator === undefined) answer(res, 404, { detail: 'Not Found' })
  else if (!isAuthorized(req, token)) answer(res, 401, { detail: 'Not authenticated' })
  else {
    const asked = operator(await readJson(req))
    if ('invalid' in asked) answer(res, 422, { detail: asked.invalid })
    else answer(res, 200, await asked.done)
  }
}

type Asked = { invalid: string } | { done: Promise<unknown> }

/** What operators may ask, by path. */
function operators({
  database,
  clock,
  accounts,
}: Pick<Context, 'database' | 'clock' | 'accounts'>): Record<string, (body: unknown) => Asked> {
  return {
    '/ops/keys': (body) =>
      ask(OperatorRequest, body, (request) => operateKeys(database.queries, request, clock.now())),
    '/ops/accounts': (body) =>
      ask(SigningKeyRequest, body, (request) => operateSigningKeys(accounts, request)),
    '/ops/users': (body) => ask(UserRequest, body, (request) => operateUsers(database.queries, request)),
  }
}

function ask<Request>(
  schema: z.ZodType<Request>,
  body: unknown,
  work: (request: Request) => Promise<unknown>,
): Asked {
  const request = schema.safeParse(body)
  return request.success ? { done: work(request.data) } : { invalid: request.error.message }
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
