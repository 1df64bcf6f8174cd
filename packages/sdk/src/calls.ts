import { sendBatch } from './batches.ts'
import { ApiError } from './errors.ts'
import { keyedRoutes } from './generated/facts.ts'
import { newIdempotencyKey, partKey } from './idempotency-key.ts'
import type {
  AnswerOf,
  BatchRoute,
  CallOptions,
  InputOf,
  KeyedRoute,
  Method,
  Route,
  RouteOf,
  StoreOptions,
  TaggedMethod,
  TaggedOptions,
} from './operations.ts'
import { queryOf } from './query.ts'
import { jsonOf, requireInput, requireSendable, requireWhole } from './sendable.ts'
import { requireKnown } from './settings.ts'
import { keptTo } from './subject.ts'
import type { Outgoing, Transport } from './transport.ts'

/** The operations that store what their body holds. */
export type StoringRoute = KeyedRoute & RouteOf<'body'>

/** Makes the methods of the client, one for each operation. */
export interface Calls {
  /** For an operation without body and query. */
  plain<R extends RouteOf<'plain'>>(route: R): Method<R>
  /** For one with a query. */
  query<R extends RouteOf<'query'>>(route: R): Method<R>
  /** For one with a body. */
  body<R extends RouteOf<'body'>>(route: R): Method<R>
  /** For one whose answers have an `etag`. */
  tagged<R extends RouteOf<'body'>>(route: R): TaggedMethod<R>
  /** For one whose list may be longer than one request may be. */
  batch<R extends BatchRoute & RouteOf<'body'>>(route: R): Method<R>
  /** Sends a body that is JSON already to an operation that stores. */
  storeJson<R extends StoringRoute>(route: R, json: string, options?: StoreOptions): Promise<AnswerOf<R>>
  /** For one that answers a file. */
  file<R extends RouteOf<'plain'>>(route: R): Method<R>
  /** For one with a query that answers a file. */
  queriedFile<R extends RouteOf<'query'>>(route: R): Method<R>
  transport: Transport
  /** The end user to whom every call is kept. */
  subject: string | undefined
}

type Send = (outgoing: Outgoing, options: CallOptions | undefined) => Promise<unknown>

/** The options of each kind of call, by their names. */
const callOptions: Readonly<Record<keyof CallOptions, true>> = {
  signal: true,
  timeoutMs: true,
  maxRetries: true,
  actor: true,
  ifMatch: true,
  headers: true,
  onAnswer: true,
}
const storeOptions: Readonly<Record<keyof StoreOptions, true>> = { ...callOptions, idempotencyKey: true }
const taggedOptions: Readonly<Record<keyof TaggedOptions, true>> = { ...callOptions, ifNoneMatch: true }

/** @param subject keeps every call to an end user */
export function callsOver(transport: Transport, subject?: string): Calls {
  const json: Send = (outgoing, options) => transport.json(outgoing, options)
  const keyed: Send = (outgoing, options: StoreOptions = {}) => {
    const { idempotencyKey = newIdempotencyKey() } = options
    return transport.json({ ...outgoing, idempotencyKey }, options)
  }
  const tagged: Send = async (outgoing, options) => {
    const { ifNoneMatch } = (options ?? {}) as Partial<TaggedOptions>
    if (ifNoneMatch === undefined) return transport.json(outgoing, options)
    try {
      const headers = { ...options?.headers, 'If-None-Match': `"${ifNoneMatch}"` }
      return await transport.json(outgoing, { ...options, headers })
    } catch (error) {
      if (error instanceof ApiError && error.status === 304) return undefined
      throw error
    }
  }
  const file: Send = (outgoing, options) => transport.blob(outgoing, options)
  const sending = (route: Route): Send =>
    keyedRoutes.has(route) ? knowing(storeOptions, route, keyed) : knowing(callOptions, route, json)
  const make = (route: Route, kind: Kind, send = sending(route)) => method(route, kind, send, subject)
  // The types of what is given follow from the route alone.
  return {
    transport,
    subject,
    plain: (route) => make(route, 'plain') as never,
    query: (route) => make(route, 'query') as never,
    body: (route) => make(route, 'body') as never,
    tagged: (route) => make(route, 'body', knowing(taggedOptions, route, tagged)) as never,
    batch: (route) => batch(route, sending(route), subject) as never,
    storeJson: async (route, json, options) => {
      if (subject !== undefined) throw new TypeError('What is JSON already can not be kept to a subject')
      const [method, path] = route.split(' ') as [string, string]
      return sending(route)({ method, path, template: path, body: json }, options) as never
    },
    file: (route) => make(route, 'plain', knowing(callOptions, route, file)) as never,
    queriedFile: (route) => make(route, 'query', knowing(callOptions, route, file)) as never,
  }
}

/** Sends only what has no options but those that it knows. */
function knowing(known: object, route: string, send: Send): Send {
  return (outgoing, options) => {
    requireKnown(options ?? {}, known, route)
    return send(outgoing, options)
  }
}

type Kind = 'plain' | 'query' | 'body'

/** Posts that remove what their fields describe: those that can only say what would go. */
type RemovingPost = {
  [R in RouteOf<'body'>]: R extends `POST ${string}`
    ? 'dry_run' extends keyof InputOf<R>
      ? R
      : never
    : never
}[RouteOf<'body'>]

const removingPosts: Readonly<Record<RemovingPost, true>> = {
  'POST /v1/memory/patterns/delete': true,
  'POST /v1/memory/text/forget': true,
}

function method(route: Route, kind: Kind, send: Send, subject: string | undefined) {
  const [verb, template] = route.split(' ') as [string, string]
  const parts = template.split(/\{\w+\}/)
  const removes = verb === 'DELETE' || route in removingPosts
  return async (...given: unknown[]) => {
    let at = 0
    const path = parts.reduce((path, part) => path + encodeURIComponent(idOf(given[at++], route)) + part)
    const ids = given.slice(0, at)
    let input = kind === 'plain' ? undefined : given[at++]
    // Of a client that is kept to an end user, one that was lost on the way would remove all that is theirs.
    if (kind === 'body' && removes && at <= given.length) requireInput(input)
    if (subject !== undefined) input = keptTo(subject, route, ids, input)
    const options = given[at] as CallOptions | undefined
    const outgoing: Outgoing = { method: verb, path, template }
    if (kind === 'query') outgoing.path += queryOf(route, input as object | undefined)
    if (kind === 'body' && input !== undefined) {
      requireSendable(input, removes)
      outgoing.body = jsonOf(input)
    }
    return send(outgoing, options)
  }
}

function batch(route: BatchRoute, send: Send, subject: string | undefined) {
  const [method, path] = route.split(' ') as [string, string]
  return async (given: object, options: StoreOptions = {}) => {
    requireInput(given)
    const input = subject === undefined ? given : (keptTo(subject, route, [], given) as object)
    requireSendable(input)
    const { idempotencyKey: key } = options
    return sendBatch(route, input, async (body, part) => {
      // Each part is a request of its own: under one key the second would be refused as another body.
      const own = key == null || part === undefined ? {} : { idempotencyKey: await partKey(key, part + 1) }
      return send({ method, path, template: path, body }, { ...options, ...own }) as Promise<
        AnswerOf<BatchRoute>
      >
    })
  }
}

/** An empty one, or dots, would name another path; what is neither a text nor a whole number is nobody's id. */
function idOf(id: unknown, route: string): string {
  const text = typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : ''
  if (/^\.{0,2}$/.test(text)) {
    throw new TypeError(
      `${route} needs an id, not ${typeof id === 'string' ? JSON.stringify(id) : String(id)}`,
    )
  }
  requireWhole(text, `The id for ${route}`)
  return text
}
