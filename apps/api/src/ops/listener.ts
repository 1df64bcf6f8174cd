import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { operateUsers, UserRefused, UserRequest } from '@memory/identity/accounts/operator'
import { ListRequest, operateLists } from '@memory/identity/accounts/operator-lists'
import { OperatorRequest, operateKeys } from '@memory/identity/keys/operator'
import { KeyRefused } from '@memory/identity/keys/service'
import { operateSigningKeys, SigningKeyRequest } from '@memory/identity/tokens/operator'
import { checkClock, checkDatabase, checkIndexes } from '@memory/memory/verify/check-data'
import type { Check } from '@memory/shared/ops/check'
import { createOpsListener, sendError, sendJson, type Watched } from '@memory/shared/ops/listener'
import { databaseOf } from '@memory/shared/platform/config'
import type { Database } from '@memory/shared/platform/database/database'
import { checkKey } from '@memory/shared/platform/master-key'
import { isSameSecret } from '@memory/shared/platform/same-secret'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { TokenContext } from '../http/authenticate.ts'
import { answerBackup, BackupRequest } from './backup.ts'
import { challenge, refusalOf } from './board-access.ts'
import type { QueueBoard } from './queue-board.ts'

const maxBodyBytes = 64 * 1024

const boardPath = '/ops/queues'

const isBoardPath = (url = '') => /^\/ops\/queues(?:[/?]|$)/.test(url)

/** What the operators' requests need. */
type Operated = TokenContext & Pick<Context, 'database' | 'accounts' | 'memory' | 'clock' | 'config' | 'log'>

/** Errors whose message tells an operator why a request can't be done. */
const refusals = [KeyRefused, UserRefused]

/** Thrown for a request that is answered with this status and message. */
class BadRequest extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * The operators' listener, on a separate address that tenants can't reach. Health and metrics are open to everybody who can
 * reach it. The requests of CLI commands such as `npm run keys` (see `operators`) need the token of this start. The page on the
 * job queue, `/ops/queues`, needs that token or the access token of a platform admin.
 */
export function createOpsServer(context: Watched & Operated & Pick<Context, 'queue'>, token: string): Server {
  let opening: Promise<QueueBoard> | undefined
  /** Loaded at its first use, because it is seldom used. */
  const board = () => {
    opening ??= import('./queue-board.ts').then(({ createQueueBoard }) =>
      createQueueBoard(context.queue, boardPath),
    )
    return opening
  }
  return createOpsListener(context, (req, res) =>
    handle(context, token, board, req, res).catch((error) => {
      if (refusals.some((kind) => error instanceof kind)) {
        sendJson(res, 409, { detail: error.message })
        return
      }
      if (!(error instanceof BadRequest)) throw error
      // The rest of the body is not read, so the connection can't be used for another request.
      res.setHeader('Connection', 'close')
      sendJson(res, error.status, { detail: error.message })
    }),
  )
}

async function handle(
  context: Operated,
  token: string,
  board: () => Promise<QueueBoard>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (isBoardPath(req.url)) {
    await showBoard(context, token, board, req, res)
    return
  }
  const operator = req.method === 'POST' ? operators(context)[req.url ?? ''] : undefined
  if (operator === undefined) sendError(res, 'not_found')
  else if (!isAuthorized(req, token)) sendError(res, 'not_authenticated')
  else {
    const asked = operator(await readJson(req))
    if ('invalid' in asked) sendJson(res, 422, { detail: asked.invalid })
    else if ('answer' in asked) await asked.answer(res)
    else sendJson(res, 200, await asked.done)
  }
}

async function showBoard(
  context: TokenContext,
  token: string,
  board: () => Promise<QueueBoard>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const refusal = await refusalOf(context, token, req)
  if (refusal === undefined) {
    ;(await board())(req, res)
    return
  }
  res.setHeader('WWW-Authenticate', challenge)
  sendJson(res, 401, { detail: refusal })
}

/** What became of a request: `invalid` says what is wrong with it, `done` is its result, `answer` writes the answer itself. */
type Asked = { invalid: string } | { done: Promise<unknown> } | { answer(res: ServerResponse): Promise<void> }

/** The operators' requests, by path. */
function operators(context: Operated): Record<string, (body: unknown) => Asked> {
  const { database, clock, accounts, memory, config } = context
  const { queries } = database
  return {
    '/ops/database': (body) => ask(z.object({}), body, async () => ({ database: databaseOf(config) })),
    '/ops/keys': (body) =>
      ask(OperatorRequest, body, (request) => operateKeys(queries, request, clock.now())),
    '/ops/accounts': (body) =>
      ask(SigningKeyRequest, body, (request) => operateSigningKeys(accounts, request)),
    '/ops/users': (body) => ask(UserRequest, body, (request) => operateUsers(queries, request)),
    '/ops/lists': (body) => ask(ListRequest, body, (request) => operateLists(queries, request)),
    '/ops/backup': (body) => {
      const request = BackupRequest.safeParse(body)
      if (!request.success) return { invalid: request.error.message }
      return { answer: (res) => answerBackup(context, request.data, res) }
    },
    '/ops/checks': (body) => ask(ChecksRequest, body, () => checkData({ queries, clock, memory, config })),
  }
}

const ChecksRequest = z.strictObject({})

/** The most spaces in memory that are checked. */
const spacesMax = 20

async function checkData({
  queries,
  clock,
  config,
  memory: { spaces },
}: Pick<Context, 'clock' | 'memory' | 'config'> & Pick<Database, 'queries'>): Promise<{ checks: Check[] }> {
  const open = (spaceId: string) =>
    spaces.peek(spaceId) === undefined ? undefined : (version: number) => spaces.get(spaceId, version)
  return {
    checks: [
      await checkDatabase(queries),
      await checkKey(queries, config),
      await checkClock(queries, clock),
      await checkIndexes(queries, { open, spacesMax }),
    ],
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
  // Not destroyed when the loop is left early, since the answer is still to be sent on this connection.
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
  return isSameSecret(req.headers.authorization ?? '', `Bearer ${token}`)
}
