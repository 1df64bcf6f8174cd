import type { IsVectorPlace } from '@memory/engine/kernels/vector-parse'
import { isOtherEncoder } from '@memory/memory/spaces/space-encoder'
import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import * as f from '@memory/shared/catalogue/fields'
import { JsonStream, JsonText, toJsonParts } from '@memory/shared/catalogue/json-text'
import { limits } from '@memory/shared/catalogue/limits'
import {
  type Access,
  type Caller,
  etagOf,
  type Input,
  isScope,
  limitOf,
  type Operation,
  type Origin,
  type Output,
  removes,
  type SignedIn,
  selects,
} from '@memory/shared/catalogue/operation'
import type { Scope } from '@memory/shared/catalogue/scopes'
import { type Asker, asAsker, requireAwaited, spending } from '@memory/shared/platform/asker'
import type { Trx } from '@memory/shared/platform/database/database'
import type { Environment } from '@memory/shared/platform/database/tables'
import type { Request, Response } from 'express'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { AnswerInTheMaking, type Whose } from './admission.ts'
import { type Authenticated, type AuthTarget, authenticate, noTarget, originOf } from './authenticate.ts'
import { type Body, freeBytes, parseBody, parsePlainly, readBytes } from './body.ts'
import { CountedQueries } from './counted-queries.ts'
import { type Credentials, readCredentials } from './credentials.ts'
import { Download } from './download.ts'
import { announceAllowance } from './error-answers.ts'
import { EventStream } from './event-stream.ts'
import { announceHandling, isStrict } from './handling.ts'
import { answerOnce, type KeyedRequest, type Work } from './idempotency.ts'
import { longBytes } from './parse-json.ts'
import { JsonAnswer, streamJson } from './send-json.ts'
import { actorOf, boundTo, contextOf, narrowed, routeOf, subjectQueriesOf } from './subjects.ts'
import type { DetailOptions } from './validation/detail.ts'
import { type ParsedRequest, parseRequest } from './validation/request.ts'
import { withSentInputs } from './validation/sent-inputs.ts'
import { fieldPlaces, type Selecting } from './validation/unknown-fields.ts'

/** What a handler is given: the valid request, who sent it, and hooks into how it is answered. */
type HandlerInput<Op> = Input<Op> & {
  context: Context
  caller: Op extends { access: infer Who extends Access } ? CallerOf<Who> : never
  origin: Origin
  /** The body as it was sent; undefined for none. */
  sent: unknown
  /** When the request arrived, on the scale of `performance.now()`. */
  arrivedMs: number
  /** The `If-Match` of a request for a versioned operation. */
  ifMatch: string | undefined
  /** The `Last-Event-ID` of a request for a stream. */
  lastEventId: string | undefined
  /** Runs `work` after the answer was sent. */
  afterAnswer(work: () => void): void
  /** For what is in headers only, such as cookies. */
  http: HttpHeaders
  /** Stores the answer for repetitions of a request with an `Idempotency-Key`; undefined for requests without one. */
  record: ((trx: Trx, answer: Output<Op>) => Promise<void>) | undefined
}

/** Access to the headers of a request and of its answer. */
export interface HttpHeaders {
  /** Reads a header of the request. */
  header(name: 'cookie' | 'host' | 'origin' | 'x-csrf-token'): string | undefined
  /** Sets a header of the answer, also where that becomes an error. */
  setHeader(name: string, value: string | string[]): void
}

type CallerOf<Who extends Access> = Who extends Scope ? Caller : Who extends 'anyone' ? undefined : SignedIn

export interface Endpoint {
  operation: Operation
  handle(context: Context, req: Request, res: Response): Promise<void>
}

/** The operations on memory have paths with this prefix. Their requests are counted as usage. */
const memoryPath = '/v1/memory/'
const memoryHeaders = {
  'x-memory-actor': f.headerString(1, limits.actorChars).optional().meta({
    description:
      'The end user whose use the space learns from, where one key serves many; without it the key or the session. It filters nothing.',
  }),
}
const ifMatchHeaders = {
  'if-match': f.headerString(1, 1_000).optional().meta({
    description: 'Do it only where the pattern has this `ETag`; another one is answered with 412.',
  }),
}
const tagHeaders = {
  'if-none-match': f.headerString(1, 1_000).optional().meta({
    description:
      'The `ETag` of an earlier answer: while nothing of it has changed, the answer is an empty 304.',
  }),
}
const streamHeaders = {
  'last-event-id': f.headerString(1, 100).optional().meta({
    description: 'The `id` of the last event that the client has: those after it are told.',
  }),
}
const idempotencyHeaders = { 'idempotency-key': f.headerString(1, limits.idempotencyKeyChars).optional() }

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
 * The schema of the headers that an operation reads, besides those of authentication.
 * @param byToken whether the caller uses an access token, which needs headers for what an API key implies: the organization
 *   and the environment
 */
export function headersOf(
  { path, access, idempotent, versioned, tagged, streams, method }: Operation,
  byToken: boolean,
) {
  return z.object({
    ...(path.startsWith(memoryPath) ? memoryHeaders : {}),
    ...(idempotent ? idempotencyHeaders : {}),
    ...(versioned && method !== 'get' ? ifMatchHeaders : {}),
    ...(tagged ? tagHeaders : {}),
    ...(streams ? streamHeaders : {}),
    ...(byToken && access !== 'anyone' ? organizationHeaders : {}),
    ...(byToken && isScope(access) ? environmentHeaders : {}),
  })
}

type Handler<Op> = (
  input: HandlerInput<Op>,
) => Promise<Output<Op> | JsonText<Output<Op>> | JsonStream<Output<Op>> | Download | EventStream>

/**
 * Joins an operation's description with its handler. A client sees the checks in this order: authentication, scope, body
 * and parameters, quota. Since authentication and quota are one database round trip, the body is validated before that
 * round trip, and its faults are reported after it.
 */
export function endpoint<const Op extends Operation>(operation: Op, handler: Handler<Op>): Endpoint {
  return new OperationEndpoint(operation, handler)
}

/** Handles the requests of one operation. All that follows from the operation's description is worked out once. */
class OperationEndpoint<Op extends Operation> implements Endpoint {
  readonly operation: Op
  readonly #handler: Handler<Op>
  readonly #schemas
  readonly #detail: DetailOptions
  readonly #onSelector: Selecting | undefined
  readonly #ofBody: Selecting['places'] | undefined
  readonly #isVectorPlace: IsVectorPlace | undefined
  readonly #bytesMax: number
  readonly #isCounted: boolean
  readonly #limit: ReturnType<typeof limitOf>
  readonly #isRead: boolean

  constructor(operation: Op, handler: Handler<Op>) {
    const { access, path, method, params, query, body, vectors } = operation
    this.operation = operation
    this.#handler = handler
    this.#schemas = {
      key: { params, query, headers: headersOf(operation, false), body },
      token: { params, query, headers: headersOf(operation, true), body },
    }
    this.#detail = detailOf(operation)
    this.#onSelector = selectingOf(operation)
    this.#isVectorPlace = vectors && placesOf(vectors)
    this.#bytesMax = operation.bodyBytes ?? (body === undefined ? limits.noBodyBytes : limits.bodyBytes)
    this.#isCounted = isScope(access) && path.startsWith(memoryPath)
    this.#limit = limitOf(operation)
    this.#isRead = method === 'get' || access === 'memory:read'
    this.#ofBody = this.#isRead ? undefined : fieldPlaces({ body })
  }

  async handle(context: Context, req: Request, res: Response): Promise<void> {
    const { access, deprecated } = this.operation
    if (deprecated !== undefined) announceDeprecation(res, deprecated)
    const arrivedMs: number = res.locals.arrivedMs
    const credentials = access === 'anyone' ? undefined : readCredentials(req)
    const origin = originOf(req, res)
    const signal = whenAbandoned(res)
    const { admission } = context
    const whose = admission.whoseIs(credentials, origin.ip)
    const asker: Asker & Whose = { ...whose, signal, spent: res.locals.spent }
    const making = new AnswerInTheMaking(admission, asker)
    asker.beginLongAnswer = () => making.begin()
    // A small body is read before the turn begins, so that a slow sender holds no turn. A large one is read within the
    // turn, after authentication, so that unknown callers can't fill the memory.
    const received = mayBeLarge(req) ? undefined : this.#receive(req, res)
    // A fault is reported by `#read`, after authentication.
    await received?.catch(() => {})
    const target = noTarget
    const arrived = { req, res, arrivedMs, credentials, origin, signal, asker, making, received, target }
    let stream: EventStream | undefined
    const work = async () => {
      // A change that has begun is completed, even when its client has hung up.
      if (!this.#isRead) asker.signal = undefined
      try {
        const done = await this.#work(context, arrived)
        // `done` holds no reference to the request's body, whose memory is free while a slow client takes the answer.
        if (done.answer instanceof EventStream) stream = done.answer
        else await this.#send(context, arrived, done)
      } finally {
        making.end()
        asker.signal = undefined
      }
    }
    await (this.operation.unqueued ? work() : admission.admit(asker, work))
    // A stream may last for hours, so it is sent outside the turn.
    await stream?.send(req, res, () => this.#mayGoOn(context, arrived))
  }

  /** Authenticates the caller of a stream again. @throws ApiError when a new request of theirs would be refused */
  async #mayGoOn(context: Context, { res, credentials, origin, asker, target }: Arrived): Promise<void> {
    const { access } = this.operation
    if (credentials === undefined || access === 'anyone') return
    const again = () => authenticate(context, res, { access, credentials, target, origin })
    const authenticated = await asAsker({ lane: asker.lane }, again)
    // A user who has left the organization is now authenticated for another of theirs: not what this stream is of.
    if (laneOf(authenticated) !== asker.lane) throw new ApiError('token_revoked')
  }

  async #receive(req: Request, res: Response): Promise<Buffer | undefined> {
    return this.operation.body !== undefined || hasBody(req) ? readBytes(req, res, this.#bytesMax) : undefined
  }

  /** Authenticates a request, validates it and runs its handler. */
  async #work(context: Context, arrived: Arrived): Promise<Done> {
    const { req, res, asker } = arrived
    let release = () => {}
    let body: Body | undefined
    try {
      let { received } = arrived
      let leave = () => {}
      if (received === undefined) {
        await this.#identify(context, arrived, noTarget)
        release = context.admission.bodies.claimFor(asker, Math.min(lengthOf(req), this.#bytesMax))
        received = this.#receive(req, res)
        // A fault is reported by `#read`.
        const bytes = await received.catch(() => undefined)
        if (bytes !== undefined && bytes.length > longBytes)
          leave = await context.admission.enterToRead(asker)
      }
      const request = await this.#read(arrived, received)
      leave()
      if ('body' in request) body = request.body
      const identified = await this.#admit(context, arrived, request)
      if ('fault' in request) throw request.fault
      if (!request.parsed.ok) throw new ValidationError(request.parsed.detail)
      await this.#throttle(context, identified.authenticated)
      return await this.#answer(context, arrived, { ...request.parsed, body: request.body }, identified)
    } finally {
      if (body !== undefined) freeBytes(body)
      release()
    }
  }

  /** Never throws: a fault is returned, to be reported after authentication. */
  async #read(
    { req, res, credentials }: Arrived,
    received: Promise<Buffer | undefined>,
  ): Promise<ReadRequest> {
    try {
      const by = credentials?.kind === 'token' ? 'token' : 'key'
      const bytes = await received
      const body = await parseBody(req, bytes, this.#bytesMax, this.#isVectorPlace)
      const { params, headers } = req
      // Express parses the URL anew at each access of `query`, so it is read only where needed.
      const query = this.operation.query !== undefined || req.url.includes('?') ? req.query : undefined
      const handling = { strict: isStrict(headers), onSelector: this.#onSelector, ofBody: this.#ofBody }
      const parse = (value: unknown) =>
        parseRequest(this.#schemas[by], { params, query, headers, body: value }, this.#detail, handling)
      let parsed = parse(body?.value)
      // Errors quote the numbers as they were sent, not as float32.
      if (!parsed.ok && body?.hasVectors) parsed = parse(await parsePlainly(body))
      announceHandling(res, handling.strict, parsed.ignored)
      return { body, parsed }
    } catch (fault) {
      return { fault }
    }
  }

  /**
   * Authenticates the caller and counts the queries. With an API key a vector search may begin meanwhile; its result is used
   * only once the caller is known to be allowed it.
   */
  async #admit(context: Context, arrived: Arrived, request: ReadRequest): Promise<Identified> {
    const { credentials, signal } = arrived
    const valid = 'parsed' in request && request.parsed.ok ? request.parsed.value : undefined
    const headers = (valid?.headers ?? {}) as ReadHeaders
    const queries = valid === undefined ? 0 : (this.operation.queries?.(valid.body as never) ?? 0)
    const identifying = this.#identify(context, arrived, {
      organizationId: headers['x-organization-id'],
      environment: headers['x-memory-environment'] ?? 'live',
      count: queries,
    })
    const search = valid && this.operation.searches?.(valid.body as never)
    if (credentials?.kind === 'key' && search !== undefined) {
      const { keyHash } = credentials
      context.memory.speculativeSearches.begin({ keyHash, identifying, signal }, search)
    }
    const authenticated = await identifying
    return { authenticated, counted: new CountedQueries(context, authenticated, queries) }
  }

  async #identify(
    context: Context,
    arrived: Arrived,
    target: AuthTarget,
  ): Promise<Authenticated | undefined> {
    const { res, credentials, origin, asker } = arrived
    const { access } = this.operation
    if (credentials === undefined || access === 'anyone') return undefined
    arrived.target = { ...target, count: 0 }
    const authenticated = await spending('auth', () =>
      authenticate(context, res, { access, credentials, target, origin }),
    )
    asker.lane = laneOf(authenticated)
    asker.subject = boundTo(authenticated)?.name
    context.admission.remember(credentials, asker)
    if (asker.subject !== undefined) {
      // An end user may not see what the organization has left of its quota.
      const bound = { ...authenticated, allowance: undefined }
      if (this.operation.subjects !== undefined) return bound
      await new CountedQueries(context, bound, target.count).giveBack(res)
      throw new ApiError('subject_bound')
    }
    if (authenticated.allowance !== undefined) announceAllowance(res, authenticated.allowance)
    return authenticated
  }

  /** Applies the operation's rate limit, to the organization or, for callers without one, to the user. */
  async #throttle({ accounts }: Context, authenticated: Authenticated | undefined): Promise<void> {
    if (this.#limit === undefined || authenticated === undefined) return
    const { caller } = authenticated
    const of = ['organizationId' in caller ? caller.organizationId : caller.userId]
    await accounts.throttle.take([{ rule: this.#limit, of }])
  }

  /** Answers a valid request; one that repeats an idempotency key, with the first answer. */
  async #answer(
    context: Context,
    arrived: Arrived,
    request: ValidRequest,
    identified: Identified,
  ): Promise<Done> {
    const { authenticated, counted } = identified
    const after: (() => void)[] = []
    const done = { ...identified, status: this.operation.status ?? 200, isReplay: false, after }
    const work = (record?: Parameters<Work>[0]) =>
      this.#handle(context, arrived, request, { authenticated, after, record })
    const keyed = keyedOf(this.operation, request, authenticated)
    try {
      await counted.takeOfSubject(subjectQueriesOf(authenticated, request.value, counted.count))
      if (keyed === undefined) return { ...done, answer: await work() }
      const { status, replayed, json } = await answerOnce(context, keyed, done.status, work)
      if (replayed) await counted.giveBack(arrived.res)
      return { ...done, status, isReplay: replayed, answer: new JsonText(json) }
    } catch (error) {
      if (authenticated?.spaceId !== undefined && isOtherEncoder(error)) {
        context.memory.spaces.changes.emit('refused', authenticated.spaceId)
      }
      await counted.giveBack(arrived.res)
      throw error instanceof ValidationError
        ? await withSentInputs(error, request.body, this.#detail.redact)
        : error
    }
  }

  /** Runs the handler; for a bound caller, narrowed to the end user. */
  async #handle(
    context: Context,
    { req, res, origin, signal, arrivedMs }: Arrived,
    { value, body }: ValidRequest,
    { authenticated, after, record }: Handling,
  ): Promise<Answer> {
    const headers = value.headers as ReadHeaders
    const binding = boundTo(authenticated)
    const user = actorOf(headers['x-memory-actor'], value, binding)
    const afterAnswer = (work: () => void) => void after.push(work)
    const input: object = {
      ...narrowed(this.operation, value, binding),
      context: contextOf(context, binding, this.#isRead),
      caller: authenticated && {
        ...authenticated.caller,
        signal,
        afterAnswer,
        ...(user !== undefined && { user }),
      },
      origin,
      sent: body?.value,
      arrivedMs,
      ifMatch: headers['if-match'],
      lastEventId: headers['last-event-id'],
      afterAnswer,
      http: headersIn(req, res),
      record,
    }
    try {
      // The client may have hung up while nothing was done yet.
      requireAwaited(signal)
      return (await this.#handler(input as HandlerInput<Op>)) as Answer
    } finally {
      // Whatever it changed, or found already changed, must be on the disk before the client hears of it.
      if (!this.#isRead) await context.database.durable?.()
    }
  }

  async #send(context: Context, arrived: Arrived, done: Done): Promise<void> {
    const { req, res, arrivedMs, asker, making } = arrived
    const { answer, status, counted } = done
    const { answers } = context.admission
    const holdBytes = (bytes: number) => {
      making.end()
      // What was changed is answered: a refusal would say that nothing was.
      if (this.#isRead) answers.holdFor(asker, bytes, res)
      else answers.holdAnyway(asker, bytes, res)
    }
    try {
      if (answer instanceof Download) {
        holdBytes(limits.streamBytes)
        await answer.send(req, res, status)
      } else if (answer instanceof JsonStream) {
        holdBytes(limits.streamBytes)
        await streamJson(res, status, answer.first, answer.rest)
      } else {
        const json = await JsonAnswer.inTurns(toJsonParts(answer))
        if (json.bytes > limits.smallBytes) holdBytes(json.bytes)
        this.#announceAnswer(res, done)
        if (this.#isKnown(req, answer)) res.status(304).end()
        else json.send(res, status)
      }
    } catch (error) {
      // A client that hangs up in the middle of an answer pays for it: the work was done.
      if (!res.headersSent || !isAbandoned(error)) {
        await counted.giveBack(res)
        throw error
      }
    }
    this.#finish(context, arrivedMs, done)
  }

  #announceAnswer(res: Response, { isReplay, answer }: Done): void {
    const { keepS, versioned, tagged } = this.operation
    if (versioned && 'version' in answer) res.setHeader('ETag', etagOf(answer.version as number))
    if (tagged && 'etag' in answer) res.setHeader('ETag', etagOf(answer.etag as string))
    if (isReplay) res.setHeader('Idempotent-Replay', 'true')
    if (keepS !== undefined) res.setHeader('Cache-Control', `public, max-age=${keepS}`)
  }

  /** Whether `If-None-Match` names this answer, so that an empty 304 suffices. */
  #isKnown({ headers }: Request, answer: Answer): boolean {
    const tags = headers['if-none-match']
    if (tags === undefined || !this.operation.tagged || !('etag' in answer)) return false
    const known = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    return known.includes('*') || known.includes(etagOf(answer.etag as string))
  }

  /** Records the usage and runs what was put off until after the answer. */
  #finish(context: Context, arrivedMs: number, { authenticated, counted, after }: Done): void {
    if (this.#isCounted && authenticated !== undefined) {
      const caller = authenticated.caller as Caller
      const ms = performance.now() - arrivedMs
      context.usage.log.record({ caller, usage: this.operation.usage, queries: counted.count, ms })
    }
    doAll(context, after)
  }
}

/** Paths of operations on accounts and keys. */
const onAccounts = /^\/v1\/(auth|users|api-keys)(\/|$)|\/api-keys(\/|$)/
/**
 * Fields whose values no error repeats, nor the bodies that contain them. A URL may contain a password, or be a secret as a
 * whole.
 */
const secretFields = ['password', 'current_password', 'new_password', 'token', 'refresh_token', 'code', 'url']

/** What the 422 answers of an operation leave out of what was sent. */
function detailOf({ path, body }: Operation): DetailOptions {
  const fields = body instanceof z.ZodObject ? Object.keys(body.shape) : []
  // For all paths: an invitation's token is as secret as a session's.
  const redact = secretFields.filter((field) => fields.includes(field))
  return { ...(onAccounts.test(path) && { missingInputNull: true }), redact }
}

/**
 * What is needed to refuse selectors that an operation does not have, since ignoring one would select more than was meant.
 * Undefined for operations that may ignore them.
 */
function selectingOf(operation: Operation): Selecting | undefined {
  if (!selects(operation)) return undefined
  return { removes: removes(operation), places: fieldPlaces(operation) }
}

function headersIn(req: Request, res: Response): HttpHeaders {
  return {
    header: (name) => {
      const value = req.headers[name]
      return typeof value === 'string' ? value : undefined
    },
    setHeader: (name, value) => void res.setHeader(name, value),
  }
}

/** The headers that this file itself reads. */
interface ReadHeaders {
  'idempotency-key'?: string
  'if-match'?: string
  'last-event-id'?: string
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

/** A test of whether a path is one of `places`, such as `items.*.key`, where `*` stands for any item of a list. */
function placesOf(places: readonly string[]): IsVectorPlace {
  const all = places.map((place) => place.split('.'))
  return (path) =>
    all.some(
      (place) => place.length === path.length && place.every((name, i) => name === '*' || name === path[i]),
    )
}

/** A request that was read (`parsed` is its valid value, or says what is wrong), or why it could not be read. */
type ReadRequest = { body: Body | undefined; parsed: Parsed } | { fault: unknown }

interface ValidRequest {
  value: Extract<Parsed, { ok: true }>['value']
  body: Body | undefined
}

/** The caller (undefined for operations open to anyone), and the queries that were counted for them. */
interface Identified {
  authenticated: Authenticated | undefined
  counted: CountedQueries
}

/** What a handler is given besides the request. */
interface Handling {
  authenticated: Authenticated | undefined
  /** Collects what is to be run after the answer was sent. */
  after: (() => void)[]
  /** See `HandlerInput`. */
  record: Parameters<Work>[0]
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
  asker: Asker & Whose
  making: AnswerInTheMaking
  /** The bytes of a small body; rejects when they can't be read. Undefined for a large body, which is read later. */
  received: Promise<Buffer | undefined> | undefined
  /** What the caller was authenticated for, with no queries to count; a stream is authenticated again with it. */
  target: AuthTarget
}

/** An answer of any operation. */
type Answer = object | JsonText<unknown> | JsonStream<unknown> | Download | EventStream

/** The outcome of a request, ready to be sent. */
interface Done extends Identified {
  answer: Answer
  status: number
  isReplay: boolean
  /** To be run after the answer was sent. */
  after: readonly (() => void)[]
}

/** The lane (see `Asker`) in which a caller's requests take turns. */
function laneOf({ caller }: Authenticated): string {
  return 'organizationId' in caller ? caller.organizationId : (caller.organization?.id ?? caller.userId)
}

const isAbandoned = (error: unknown): boolean => error instanceof ApiError && error.code === 'abandoned'

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether a body may be larger than `smallBytes` once inflated: then it is read only after authentication. */
function mayBeLarge(req: Request): boolean {
  const length = req.headers['content-length']
  if (length !== undefined)
    return Number(length) > limits.smallBytes || req.headers['content-encoding'] !== undefined
  return req.headers['transfer-encoding'] !== undefined
}

/** The length of a body in bytes; infinite where the headers do not give it. */
export function lengthOf({ headers }: Request): number {
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

/** A request that is answered once per idempotency key; undefined for one without a key. */
function keyedOf(
  operation: Operation,
  { value, body }: ValidRequest,
  authenticated: Authenticated | undefined,
): KeyedRequest | undefined {
  const { 'idempotency-key': key } = value.headers as ReadHeaders
  if (key === undefined || authenticated?.spaceId === undefined) return undefined
  const route = routeOf(operation, boundTo(authenticated))
  return { spaceId: authenticated.spaceId, route, key, chosen: chosenBy(value), body: body?.bytes }
}

/** The path parameters and query of a request as one text, to tell requests apart; empty when there are none. */
function chosenBy({ params, query }: ValidRequest['value']): string {
  const chosen = [params, query].filter((part) => Object.keys(part ?? {}).length > 0)
  return chosen.length === 0 ? '' : JSON.stringify([params, query])
}

/** Fires when the connection closes before the answer is sent. */
export function whenAbandoned(res: Response): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Errors are only logged: the answer has been sent. */
function doAll({ log }: Pick<Context, 'log'>, works: readonly (() => void)[]): void {
  for (const work of works) {
    try {
      work()
    } catch (error) {
      log.error({ err: error }, 'work after an answer failed')
    }
  }
}
