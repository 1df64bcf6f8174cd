import { ValidationError } from '@memory/shared/catalogue/errors'
import * as f from '@memory/shared/catalogue/fields'
import { type JsonText, toJsonText } from '@memory/shared/catalogue/json-text'
import { limits } from '@memory/shared/catalogue/limits'
import type { Caller, Input, Operation, Output } from '@memory/shared/catalogue/operation'
import type { IsVectorPlace } from '@memory/shared/engine/kernels/vector-parse'
import { type Authenticated, authenticateKey, returnQueries } from '@memory/shared/keys/service'
import type { Trx } from '@memory/shared/platform/database/database'
import type { Request, Response } from 'express'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { type Credentials, readCredentials } from './authenticate.ts'
import { type Body, parsePlainly, readJsonBody } from './body.ts'
import { answerOnce, type Work } from './idempotency.ts'
import { type ParsedRequest, parseRequest } from './validation/request.ts'

/** What a handler gets: the valid request, its caller, and how to keep its answer for a repeated request. */
export type HandlerInput<Op> = Input<Op> & {
  context: Context
  caller: Op extends { scope: null } ? undefined : Caller
  record: ((trx: Trx, answer: Output<Op>) => Promise<void>) | undefined
}

export interface Endpoint {
  operation: Operation
  handle(context: Context, req: Request, res: Response): Promise<void>
}

const memoryHeaders = { 'x-memory-actor': f.queryString(1, limits.actorChars).optional() }
const idempotencyHeaders = { 'idempotency-key': f.queryString(1, limits.idempotencyKeyChars).optional() }

/** The headers that an operation reads, beside those of authentication. */
export function headersOf(operation: Operation) {
  return z.object({
    ...(operation.path.startsWith('/v1/memory/') ? memoryHeaders : {}),
    ...(operation.idempotent ? idempotencyHeaders : {}),
  })
}

/**
 * Joins an operation's description with what it does. The order of checks: authentication, scope, body and
 * parameters, quota, work. Authentication and quota are one database round trip, so what is wrong with the body is
 * found before it and told after it.
 */
export function endpoint<const Op extends Operation>(
  operation: Op,
  handler: (input: HandlerInput<Op>) => Promise<Output<Op> | JsonText<Output<Op>>>,
): Endpoint {
  const schemas = {
    params: operation.params,
    query: operation.query,
    headers: headersOf(operation),
    body: operation.body,
  }
  const isVectorPlace = operation.vectors && placesOf(operation.vectors)
  const bytesMax = operation.bodyBytes ?? limits.bodyBytes

  /** Never throws: faults wait until the caller is known. */
  async function read(
    req: Request,
    res: Response,
  ): Promise<{ body?: Body | undefined; parsed: Parsed } | { fault: unknown }> {
    try {
      const body =
        operation.body === undefined ? undefined : await readJsonBody(req, res, bytesMax, isVectorPlace)
      const { params, headers } = req
      // Reading `query` parses the URL anew.
      const query = operation.query && req.query
      const parsed = parseRequest(schemas, { params, query, headers, body: body?.value })
      if (parsed.ok || !body?.hasVectors) return { body, parsed }
      // What is wrong is shown with the numbers that were sent.
      return { body, parsed: parseRequest(schemas, { params, query, headers, body: parsePlainly(body) }) }
    } catch (fault) {
      return { fault }
    }
  }

  /** The caller, with the queries of a valid request counted; undefined where nobody is asked for. */
  async function authenticate(context: Context, res: Response, credentials: Credentials, count: number) {
    if (operation.scope === null) return undefined
    const { authentication, clock, keyUsage, earlyWork } = context
    const { keyHash } = credentials
    const authenticated = await authenticateKey(
      { authentication, now: clock.now() },
      keyHash,
      operation.scope,
      count,
    ).catch((error) => {
      earlyWork.refused(keyHash)
      throw error
    })
    const { organizationId, keyId } = authenticated.caller
    earlyWork.accepted(keyHash, authenticated.caller)
    keyUsage.record(organizationId, keyId)
    Object.assign(res.locals, { organizationId, keyId })
    return authenticated
  }

  async function handle(context: Context, req: Request, res: Response): Promise<void> {
    if (operation.deprecated !== undefined) announceDeprecation(res, operation.deprecated)
    const credentials = operation.scope === null ? undefined : readCredentials(req)
    if (credentials !== undefined && mayBeLarge(req)) await authenticate(context, res, credentials, 0)
    const request = await read(req, res)
    const valid = 'parsed' in request && request.parsed.ok ? request.parsed.value : undefined
    const count = valid === undefined ? 0 : (operation.queries?.(valid.body as never) ?? 0)
    const signal = whenAbandoned(res)
    if (credentials !== undefined && valid !== undefined && operation.embeds !== undefined) {
      context.earlyWork.encode(credentials.keyHash, operation.embeds(valid.body as never), signal)
    }
    const authenticating = credentials && authenticate(context, res, credentials, count)
    const search = valid && operation.searches?.(valid.body as never)
    // After the question to the database, which is then answered while this process searches.
    if (credentials !== undefined && search !== undefined) {
      context.earlyWork.search(credentials.keyHash, search, signal)
    }
    const authenticated = await authenticating
    if ('fault' in request) throw request.fault
    if (!request.parsed.ok) throw new ValidationError(request.parsed.detail)
    const { value } = request.parsed

    const caller = authenticated && { ...authenticated.caller, signal }
    const work: Work = (record) =>
      handler({ ...value, context, caller, record } as unknown as HandlerInput<Op>)
    const key = (value.headers as { 'idempotency-key'?: string })['idempotency-key']
    const status = operation.status ?? 200
    try {
      if (key === undefined || authenticated === undefined) {
        sendJson(res, status, toJsonText(await work(undefined)))
        return
      }
      const { spaceId } = authenticated.caller
      const keyed = { spaceId, route: operation.id, key, body: request.body?.bytes }
      const answer = await answerOnce(context, keyed, status, work)
      if (answer.replayed) res.setHeader('Idempotent-Replay', 'true')
      sendJson(res, answer.status, answer.json)
    } catch (error) {
      await giveBack(context, authenticated)
      throw error
    }
  }

  return { operation, handle }
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

/** Bodies over this are not read for callers who are not known yet. */
const smallBodyBytes = 64 * 1024

function mayBeLarge(req: Request): boolean {
  const length = req.headers['content-length']
  if (length !== undefined)
    return Number(length) > smallBodyBytes || req.headers['content-encoding'] !== undefined
  return req.headers['transfer-encoding'] !== undefined
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

/** Sends JSON text that is complete as it is. */
export function sendJson(res: Response, status: number, json: string): void {
  res.statusCode = status
  res.setHeader('Content-Type', 'application/json')
  res.setHeader('Content-Length', Buffer.byteLength(json))
  res.end(json)
}

/** A request that ends in an error costs no queries; when giving them back fails too, that is only logged. */
async function giveBack(context: Context, authenticated: Authenticated | undefined): Promise<void> {
  if (authenticated === undefined || authenticated.queriesCounted === 0) return
  try {
    await returnQueries(context.database.queries, authenticated)
  } catch (error) {
    context.log.warn(
      { err: error, organizationId: authenticated.caller.organizationId },
      'queries not given back',
    )
  }
}
