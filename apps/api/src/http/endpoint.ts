import type { IsVectorPlace } from '@memory/engine/kernels/vector-parse'
import { returnQueries } from '@memory/identity/keys/service'
import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import * as f from '@memory/shared/catalogue/fields'
import { type Fault, faults } from '@memory/shared/catalogue/fields-faults'
import { JsonStream, JsonText, toJsonParts } from '@memory/shared/catalogue/json-text'
import { limits } from '@memory/shared/catalogue/limits'
import {
  type Access,
  type Caller,
  type Input,
  isScope,
  limitOf,
  type Operation,
  type Origin,
  type Output,
  type SignedIn,
  selects,
} from '@memory/shared/catalogue/operation'
import type { Scope } from '@memory/shared/catalogue/scopes'
import { type Asker, regardless, requireAwaited } from '@memory/shared/platform/asker'
import type { Trx } from '@memory/shared/platform/database/database'
import type { Environment } from '@memory/shared/platform/database/tables'
import type { Request, Response } from 'express'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { type Authenticated, authenticate, originOf, type Wanted } from './authenticate.ts'
import { type Body, parseBody, parsePlainly, readBytes } from './body.ts'
import { type Credentials, readCredentials } from './credentials.ts'
import { Download } from './download.ts'
import { announceHandling, isStrict } from './handling.ts'
import { answerOnce, type Work } from './idempotency.ts'
import { JsonAnswer, streamJson } from './send-json.ts'
import type { DetailOptions } from './validation/detail.ts'
import { type ParsedRequest, parseRequest } from './validation/request.ts'
import { withSentInputs } from './validation/sent-inputs.ts'

/** What a handler gets: the valid request, its caller, and how to keep its answer for a repeated request. */
export type HandlerInput<Op> = Input<Op> & {
  context: Context
  caller: Op extends { access: infer Who extends Access } ? CallerOf<Who> : never
  origin: Origin
  /** When the request arrived, on the scale of `performance.now()`. */
  arrivedMs: number
  /** Runs `work` when the answer has left. */
  afterAnswer(work: () => void): void
  record: ((trx: Trx, answer: Output<Op>) => Promise<void>) | undefined
}

type CallerOf<Who extends Access> = Who extends Scope ? Caller : Who extends 'anyone' ? undefined : SignedIn

export interface Endpoint {
  operation: Operation
  handle(context: Context, req: Request, res: Response): Promise<void>
}

/** Where the operations on memory are: those whose requests are counted as usage. */
const memoryPath = '/v1/memory/'
const memoryHeaders = {
  'x-memory-actor': f.queryString(1, limits.actorChars).optional().meta({
    description:
      'The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing.',
  }),
}
const idempotencyHeaders = { 'idempotency-key': f.queryString(1, limits.idempotencyKeyChars).optional() }

const organizationHeaders = {
  'x-organization-id': f.uuid().optional().meta({
    description:
      'With an access token: the organization that the request is for, else that of the oldest membership.',
  }),
}
const environmentHeaders = {
  'x-memory-environment': f.queryEnum(['live', 'test']).optional().meta({
    description: 'With an access token: the space to work on; live unless said.',
  }),
}

/**
 * The headers that an operation reads, beside those of authentication.
 * @param byToken whether the caller presents an access token: an API key has its organization and environment
 */
export function headersOf({ path, access, idempotent }: Operation, byToken: boolean) {
  return z.object({
    ...(path.startsWith(memoryPath) ? memoryHeaders : {}),
    ...(idempotent ? idempotencyHeaders : {}),
    ...(byToken && access !== 'anyone' ? organizationHeaders : {}),
    ...(byToken && isScope(access) ? environmentHeaders : {}),
  })
}

/**
 * Joins an operation's description with what it does. The order of checks: authentication, scope, body and
 * parameters, quota, work. Authentication and quota are one database round trip, so what is wrong with the body is
 * found before it and told after it.
 */
export function endpoint<const Op extends Operation>(
  operation: Op,
  handler: (
    input: HandlerInput<Op>,
  ) => Promise<Output<Op> | JsonText<Output<Op>> | JsonStream<Output<Op>> | Download>,
): Endpoint {
  const { access, params, query, body } = operation
  const schemas = {
    key: { params, query, headers: headersOf(operation, false), body },
    token: { params, query, headers: headersOf(operation, true), body },
  }
  const detail = detailOf(operation)
  const onSelector = onSelectorOf(operation)
  const isVectorPlace = operation.vectors && placesOf(operation.vectors)
  const bytesMax = operation.bodyBytes ?? (body === undefined ? limits.noBodyBytes : limits.bodyBytes)
  const isCounted = isScope(access) && operation.path.startsWith(memoryPath)
  const limit = limitOf(operation)
  const isRead = operation.method === 'get' || access === 'memory:read'
  const status = operation.status ?? 200

  /** Never throws: faults wait until the caller is known. */
  async function read({
    req,
    res,
    credentials,
    received,
  }: Arrived): Promise<{ body?: Body | undefined; parsed: Parsed } | { fault: unknown }> {
    try {
      const by = credentials?.kind ?? 'key'
      const bytes = await (received ?? receive(req, res))
      const body = parseBody(req, bytes, isVectorPlace)
      const { params, headers } = req
      // Reading `query` parses the URL anew.
      const query = operation.query !== undefined || req.url.includes('?') ? req.query : undefined
      const handling = { strict: isStrict(headers), onSelector }
      const parse = (value: unknown) =>
        parseRequest(schemas[by], { params, query, headers, body: value }, detail, handling)
      let parsed = parse(body?.value)
      // What is wrong is shown with the numbers that were sent.
      if (!parsed.ok && body?.hasVectors) parsed = parse(parsePlainly(body))
      announceHandling(res, handling.strict, parsed.ignored)
      return { body, parsed }
    } catch (fault) {
      return { fault }
    }
  }

  async function receive(req: Request, res: Response): Promise<Buffer | undefined> {
    return operation.body !== undefined || hasBody(req) ? readBytes(req, res, bytesMax) : undefined
  }

  async function handle(context: Context, req: Request, res: Response): Promise<void> {
    const arrivedMs: number = res.locals.arrivedMs
    if (operation.deprecated !== undefined) announceDeprecation(res, operation.deprecated)
    const credentials = access === 'anyone' ? undefined : readCredentials(req)
    const origin = originOf(req, res)
    const signal = whenAbandoned(res)
    const { admission } = context
    const asker: Asker = { lane: admission.laneOf(credentials, origin.ip), signal }
    // Whoever sends slowly has no turn meanwhile. Large bodies are read within it, once it is known whose they are.
    const received = mayBeLarge(req) ? undefined : receive(req, res)
    // What is wrong with it is told when the caller is known.
    await received?.catch(() => {})
    await admission.admit(asker, async () => {
      // What a request changes, it changes whole, though nobody waits for it any more.
      if (!isRead) asker.signal = undefined
      try {
        const arrived = { req, res, arrivedMs, credentials, origin, signal, asker, received }
        // The request itself is let go of before its answer is sent, which may take as long as the client likes.
        await send(context, arrived, await work(context, arrived))
      } finally {
        asker.signal = undefined
      }
    })
  }

  /** Reads a request and does what it asks for. */
  async function work(context: Context, arrived: Arrived): Promise<Done> {
    const { req, res, arrivedMs, credentials, origin, signal, asker } = arrived
    const { admission } = context
    const identify = async (wanted: Wanted): Promise<Authenticated | undefined> => {
      if (credentials === undefined || access === 'anyone') return undefined
      const authenticated = await authenticate(context, res, { access, credentials, wanted, origin })
      asker.lane = laneOf(authenticated)
      admission.remember(credentials, asker.lane)
      return authenticated
    }
    let release = () => {}
    try {
      if (mayBeLarge(req)) {
        await identify(noWishes)
        release = admission.bodies.claim(asker.lane, Math.min(lengthOf(req), bytesMax))
      }
      const request = await read(arrived)
      const valid = 'parsed' in request && request.parsed.ok ? request.parsed.value : undefined
      const headers = (valid?.headers ?? {}) as ReadHeaders
      const keyHash = credentials?.kind === 'key' ? credentials.keyHash : undefined
      if (keyHash !== undefined && valid !== undefined && operation.embeds !== undefined) {
        context.earlyWork.encode(keyHash, operation.embeds(valid.body as never), signal)
      }
      const queries = valid === undefined ? 0 : (operation.queries?.(valid.body as never) ?? 0)
      const identifying = identify({
        organizationId: headers['x-organization-id'],
        environment: headers['x-memory-environment'] ?? 'live',
        count: queries,
      })
      const search = valid && operation.searches?.(valid.body as never)
      // After the question to the database, which is then answered while this process searches.
      if (keyHash !== undefined && search !== undefined) {
        context.earlyWork.search(keyHash, search, signal)
      }
      const authenticated = await identifying
      if ('fault' in request) throw request.fault
      if (!request.parsed.ok) throw new ValidationError(request.parsed.detail)
      const { value } = request.parsed
      if (limit !== undefined && authenticated !== undefined) {
        const { caller } = authenticated
        await context.accounts.throttle.take([
          { rule: limit, of: ['organizationId' in caller ? caller.organizationId : caller.userId] },
        ])
      }

      const user = headers['x-memory-actor']
      const after: (() => void)[] = []
      const afterAnswer = (work: () => void) => void after.push(work)
      const caller = authenticated && {
        ...authenticated.caller,
        signal,
        afterAnswer,
        ...(user !== undefined && { user }),
      }
      const answerIt: Work = async (record) => {
        try {
          // Nobody waits for it, and nothing has been done yet.
          requireAwaited(signal)
          const input = { ...value, context, caller, origin, arrivedMs, afterAnswer, record }
          return await handler(input as unknown as HandlerInput<Op>)
        } finally {
          // What it changed, or found changed already, is on the disk before anybody is told.
          if (!isRead) await context.database.durable?.()
        }
      }
      const key = headers['idempotency-key']
      const done = { status, isReplay: false, authenticated, queries, after }
      try {
        if (key === undefined || authenticated?.spaceId === undefined) {
          return { ...done, answer: (await answerIt(undefined)) as Answer }
        }
        const { spaceId } = authenticated
        const keyed = { spaceId, route: operation.id, key, body: request.body?.bytes }
        const answer = await answerOnce(context, keyed, status, answerIt)
        const text = new JsonText(answer.json)
        return { ...done, status: answer.status, isReplay: answer.replayed, answer: text }
      } catch (error) {
        await giveBack(context, authenticated)
        throw error instanceof ValidationError ? withSentInputs(error, request.body, detail.redact) : error
      }
    } finally {
      release()
    }
  }

  async function send(context: Context, { req, res, arrivedMs, asker }: Arrived, done: Done): Promise<void> {
    const { answer, status, isReplay, authenticated, queries, after } = done
    const { answers } = context.admission
    /** After the answer, so that nobody waits for it. */
    const finish = () => {
      if (isCounted && authenticated !== undefined) {
        const caller = authenticated.caller as Caller
        const ms = performance.now() - arrivedMs
        context.usage.log.record({ caller, usage: operation.usage, queries, ms })
      }
      doAll(context, after)
    }
    try {
      if (answer instanceof Download) {
        res.once('close', answers.claim(asker.lane, limits.streamBytes))
        await answer.send(req, res, status)
        return
      }
      if (answer instanceof JsonStream) {
        res.once('close', answers.claim(asker.lane, limits.streamBytes))
        await streamJson(res, status, answer.first, answer.rest)
      } else {
        const json = new JsonAnswer(toJsonParts(answer))
        if (json.bytes > limits.smallBytes) res.once('close', answers.claim(asker.lane, json.bytes))
        if (isReplay) res.setHeader('Idempotent-Replay', 'true')
        if (operation.keepS !== undefined) {
          res.setHeader('Cache-Control', `public, max-age=${operation.keepS}`)
        }
        json.send(res, status)
      }
    } catch (error) {
      // What was found for a client that hung up while it was sent was found all the same.
      if (!res.headersSent || !isAbandoned(error)) {
        await giveBack(context, authenticated)
        throw error
      }
    }
    finish()
  }

  return { operation, handle }
}

/** Operations on accounts and keys. */
const onAccounts = /^\/v1\/(auth|users|api-keys)(\/|$)|\/api-keys(\/|$)/
/** Fields that no answer repeats, nor the bodies around them. A URL may hold a password, or be a secret as a whole. */
const secretFields = ['password', 'current_password', 'new_password', 'token', 'refresh_token', 'code', 'url']

/** What the 422 answers of an operation leave out. */
function detailOf({ path, body }: Operation): DetailOptions {
  const fields = body instanceof z.ZodObject ? Object.keys(body.shape) : []
  // Whatever the path is: an invitation's token is as secret as a session's.
  const redact = secretFields.filter((field) => fields.includes(field))
  return { ...(onAccounts.test(path) && { missingInputNull: true }), redact }
}

/** What is said of a selector that an operation does not have; undefined where it may pass over one. */
function onSelectorOf(operation: Operation): Fault | undefined {
  if (!selects(operation)) return undefined
  const { query, body } = operation
  const places = { query: query?.shape, body: body instanceof z.ZodObject ? body.shape : {} }
  const part = (['body', 'query'] as const).find((part) => places[part]?.filter !== undefined)
  return faults.selectorForbidden(part && `${part}.filter`)
}

/** For a caller who is looked up before the request is read. */
const noWishes: Wanted = { organizationId: undefined, environment: 'live', count: 0 }

/** What this file itself reads of the headers. */
interface ReadHeaders {
  'idempotency-key'?: string
  'x-memory-actor'?: string
  'x-organization-id'?: string
  'x-memory-environment'?: Environment
}

type Parsed = ParsedRequest<{
  params: undefined
  query: undefined
  headers: ReturnType<typeof headersOf>
  body: undefined
}>

/** Whether a path leads to one of these places, in which `*` is any item of a list. */
function placesOf(places: readonly string[]): IsVectorPlace {
  const all = places.map((place) => place.split('.'))
  return (path) =>
    all.some(
      (place) => place.length === path.length && place.every((name, i) => name === '*' || name === path[i]),
    )
}

/** A request that is being answered. */
interface Arrived {
  req: Request
  res: Response
  arrivedMs: number
  credentials: Credentials | undefined
  origin: Origin
  /** Fires when the client hangs up. */
  signal: AbortSignal
  asker: Asker
  /** The bytes of a small body, or what is wrong with it; a large one is not read yet. */
  received: Promise<Buffer | undefined> | undefined
}

/** What an operation answers, with its types gone. */
type Answer = object | JsonText<unknown> | JsonStream<unknown> | Download

/** What was done for a request, all but the answer's way to the client. */
interface Done {
  answer: Answer
  status: number
  isReplay: boolean
  authenticated: Authenticated | undefined
  queries: number
  after: readonly (() => void)[]
}

/** Whose turns a caller's requests take. */
function laneOf({ caller }: Authenticated): string {
  return 'organizationId' in caller ? caller.organizationId : (caller.organization?.id ?? caller.userId)
}

const isAbandoned = (error: unknown): boolean => error instanceof ApiError && error.code === 'abandoned'

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Bodies of more than `smallBytes` are not read for callers who are not known yet. */
function mayBeLarge(req: Request): boolean {
  const length = req.headers['content-length']
  if (length !== undefined)
    return Number(length) > limits.smallBytes || req.headers['content-encoding'] !== undefined
  return req.headers['transfer-encoding'] !== undefined
}

/** How long a body may be, as far as its request says. */
function lengthOf({ headers }: Request): number {
  const { 'content-length': length, 'content-encoding': encoding } = headers
  return length === undefined || encoding !== undefined ? Number.POSITIVE_INFINITY : Number(length)
}

/** Says since when an operation is deprecated (RFC 9745), and what replaces it (RFC 5829). */
function announceDeprecation(
  res: Response,
  { since, successor }: NonNullable<Operation['deprecated']>,
): void {
  res.setHeader('Deprecation', `@${since.getTime() / 1_000}`)
  res.setHeader('Link', `<${successor}>; rel="successor-version"`)
}

/** Fires when the connection closes before the answer is sent. */
function whenAbandoned(res: Response): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}

/** The answer is out: what goes wrong now is only logged. */
function doAll({ log }: Pick<Context, 'log'>, works: readonly (() => void)[]): void {
  for (const work of works) {
    try {
      work()
    } catch (error) {
      log.error({ err: error }, 'work after an answer failed')
    }
  }
}

/** A request that ends in an error costs no queries; when giving them back fails too, that is only logged. */
async function giveBack(context: Context, authenticated: Authenticated | undefined): Promise<void> {
  if (authenticated?.spaceId === undefined || authenticated.queriesCounted === 0) return
  const { spaceId, queriesCounted } = authenticated
  try {
    await regardless(() => returnQueries(context.database.queries, spaceId, queriesCounted))
  } catch (error) {
    context.log.warn({ err: error, spaceId }, 'queries not given back')
  }
}
