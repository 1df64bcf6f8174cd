import { pipeline } from 'node:stream/promises'
import { ApiError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { linkBaseOf } from '@memory/shared/platform/config'
import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express'
import type { Allowed, McpRequestContext, MemoryServerOptions, Refusal } from 'memory-service-mcp'
import type { Fetch } from 'memory-service-sdk'
import type { Context } from '../../context.ts'
import { originOf, requireCaller } from '../authenticate.ts'
import { parseBody, readBytes } from '../body.ts'
import { type Credentials, readCredentials } from '../credentials.ts'
import { lengthOf, whenAbandoned } from '../endpoint.ts'
import { sendError } from '../error-answers.ts'
import { isMeant } from './meant.ts'
import type { OwnRequests } from './own-requests.ts'
import { mcpPath, resourceMetadataPath } from './paths.ts'

type Library = typeof import('memory-service-mcp')

/** A message whose sender was authenticated. */
interface Received {
  library: Library
  message: unknown
  /** What the credentials allow. */
  allowed: Allowed
}

/** Makes the MCP server for one request. */
export type MakeServer = (
  library: Library,
  options: MemoryServerOptions,
  context: McpRequestContext,
) => ReturnType<Library['createMemoryServer']>

const makeMemoryServer: MakeServer = ({ createMemoryServer }, options) => createMemoryServer(options)

/**
 * The MCP server: streamable HTTP without sessions, so that any process can answer any request, and each request is
 * authenticated. Its tools call the API's own operations with the credentials of the request.
 */
export function answerMcp(
  context: Context,
  own: OwnRequests,
  makeServer: MakeServer = makeMemoryServer,
): RequestHandler {
  const { config, admission, clock, version, log } = context
  // The same in all processes, so that any of them can confirm a preview of another.
  const secret = context.secrets.derive('mcp forget previews')
  const challenge = `Bearer resource_metadata="${linkBaseOf(config)}${resourceMetadataPath}"`

  const answer = async (req: HttpRequest, res: HttpResponse): Promise<void> => {
    if (!isMeant(req, config.http)) throw new ApiError('foreign_origin')
    const signal = whenAbandoned(res)
    const credentials = readCredentials(req)
    const received = await receive(context, { req, res }, credentials, signal)
    if (received === undefined) return
    const { library, message, allowed } = received
    const options: MemoryServerOptions = {
      memory: clientOf(library, own.fetchFor(req, res.locals.requestId)),
      tools: req.query.tools === 'all' ? 'all' : 'memory',
      allowed,
      secret,
      now: () => clock.now(),
      version,
    }
    const handler = library.createMcpHandler((requested) => makeServer(library, options, requested), {
      onerror: (error) => log.debug({ err: error }, 'mcp request refused'),
    })
    const answered = await handler.fetch(toRequest(req, signal), { parsedBody: message })
    const whose = admission.whoseIs(credentials, originOf(req, res).ip)
    const hold = (bytes: number) => admission.answers.holdFor(whose, bytes, res)
    await send(answered, res, hold).catch((error) => {
      // The client has hung up: no answer is needed, and it is no error.
      if (!signal.aborted) throw error
    })
  }

  return (req, res, next) => {
    if (req.path !== mcpPath) {
      next()
      return
    }
    res.locals.route = mcpPath
    if (req.method === 'POST') {
      answer(req, res).catch((error) => {
        // Tells programs where to find out how to get access (RFC 9728).
        if (error instanceof ApiError && error.status === 401) res.locals.challenge = challenge
        next(error)
      })
    } else {
      // GET and DELETE are for sessions, which this server does not have.
      res.setHeader('Allow', 'POST')
      sendError(res, new ApiError('method_not_allowed'))
    }
  }
}

/** Authenticates the caller and reads the message; undefined when the request is refused, and was answered already. */
async function receive(
  context: Context,
  { req, res }: { req: HttpRequest; res: HttpResponse },
  credentials: Credentials,
  signal: AbortSignal,
): Promise<Received | undefined> {
  const { admission } = context
  const origin = originOf(req, res)
  const whose = admission.whoseIs(credentials, origin.ip)
  let received: Received | undefined
  await admission.admit({ ...whose, signal, spent: res.locals.spent }, async () => {
    const allowed = await requireCaller(context, res, credentials, origin)
    // Loaded at the first request: it takes a part of a second, and most services get none.
    const library = await import('memory-service-mcp')
    const bytes = Math.min(lengthOf(req), limits.mcpBodyBytes)
    if (bytes > limits.smallBytes) admission.bodies.holdFor(whose, bytes, res)
    const message = await readMessage(library, req, res)
    if (message !== undefined) received = { library, message, allowed }
  })
  return received
}

/** A client that sends requests by `fetch`, with the caller's credentials, and ignores those in the process's environment. */
function clientOf({ MemoryClient }: Library, fetch: Fetch): MemoryServerOptions['memory'] {
  // No retries here: the MCP client decides about them.
  return new MemoryClient({ apiKey: null, baseUrl: 'http://localhost', maxRetries: 0, fetch })
}

/** Reads the message; undefined when it is refused, and was answered already. */
async function readMessage(library: Library, req: HttpRequest, res: HttpResponse): Promise<unknown> {
  const bytes = await readBytes(req, res, limits.mcpBodyBytes)
  let message: unknown
  try {
    message = (await parseBody(req, bytes, limits.mcpBodyBytes))?.value
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'malformed_json')) throw error
  }
  const refusal = refusalOf(library, req, message)
  if (refusal === undefined) return message
  const { status, ...answered } = refusal
  res.status(status).json(library.refused(answered))
  return undefined
}

/** Why a message is refused before the library handles it; undefined for one that is not. */
function refusalOf(
  library: Library,
  { query }: HttpRequest,
  message: unknown,
): (Refusal & { status: number }) | undefined {
  const refusal = library.refusalOf(message)
  if (refusal !== undefined) return { status: 400, ...refusal }
  const { id, method } = message as { id?: unknown; method?: unknown }
  if (query.tools !== undefined && query.tools !== 'all') {
    return { status: 400, id, code: -32_600, message: 'Invalid Request: tools takes all, or is left out' }
  }
  if (method === 'subscriptions/listen') {
    // There is nothing to announce, and a stream would outlive the credentials that opened it.
    return { status: 404, id, code: -32_601, message: 'Method not found: there is nothing to subscribe to' }
  }
  return undefined
}

/** The request in the form that the library needs, without the body, which was read already. */
function toRequest({ url, headers }: HttpRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return new Request(`http://localhost${url}`, { method: 'POST', headers: given, signal })
}

/** Sends the answer. @param hold called with the bytes of large parts, which stay in memory until the client has taken them */
async function send(answer: Response, res: HttpResponse, hold: (bytes: number) => void): Promise<void> {
  res.statusCode = answer.status
  for (const [name, value] of answer.headers) res.setHeader(name, value)
  const { body } = answer
  if (body === null) {
    res.end()
    return
  }
  const parts = body.values()
  const next = async () => {
    const part = await parts.next()
    if (!part.done && part.value.byteLength > limits.smallBytes) hold(part.value.byteLength)
    return part
  }
  // The first part is read before anything is sent, so that a too large answer can still be refused.
  const first = await next()
  await pipeline(async function* () {
    for (let part = first; !part.done; part = await next()) yield part.value
  }, res)
}
