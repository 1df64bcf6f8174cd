import { newIdempotencyKey } from './idempotency-key.ts'
import type { AnswerOf, CallOptions, Method, Route, RouteOf, StoreOptions } from './operations.ts'
import { requireSendable, requireSendableQuery } from './sendable.ts'
import type { Outgoing, Transport } from './transport.ts'

/** The operations that an Idempotency-Key makes repeatable: those that store, and forget. */
export type StoreRoute =
  | 'POST /v1/memory/text/store'
  | 'POST /v1/memory/text/batch-store'
  | 'POST /v1/memory/store'
  | 'POST /v1/memory/batch/store'
  | 'DELETE /v1/memory/text/forget'

/** Makes the methods of the client, one for each operation. */
export interface Calls {
  /** For an operation without body and query. */
  plain<R extends RouteOf<'plain'>>(route: R): Method<R>
  /** For one with a query. */
  query<R extends RouteOf<'query'>>(route: R): Method<R>
  /** For one with a body. */
  body<R extends RouteOf<'body'>>(route: R): Method<R>
  /** For one that an Idempotency-Key makes repeatable. */
  store<R extends StoreRoute>(route: R): Method<R, StoreOptions>
  /** Sends a body that is JSON already to an operation that stores. */
  storeJson<R extends StoreRoute>(route: R, json: string, options?: StoreOptions): Promise<AnswerOf<R>>
  /** For one that answers a file. */
  file<R extends RouteOf<'plain'>>(route: R): Method<R>
  /** For one with a query that answers a file. */
  queriedFile<R extends RouteOf<'query'>>(route: R): Method<R>
  transport: Transport
}

type Send = (outgoing: Outgoing, options: CallOptions | undefined) => Promise<unknown>

export function callsOver(transport: Transport): Calls {
  const json: Send = (outgoing, options) => transport.json(outgoing, options)
  const store: Send = (outgoing, options: StoreOptions = {}) => {
    const { idempotencyKey = newIdempotencyKey() } = options
    const headers = idempotencyKey === null ? undefined : { 'Idempotency-Key': idempotencyKey }
    return transport.json({ ...outgoing, headers, isRetried: idempotencyKey !== null }, options)
  }
  const file: Send = (outgoing, options) => transport.blob(outgoing, options)
  // The types of what is given follow from the route alone.
  return {
    transport,
    plain: (route) => method(route, 'plain', json) as never,
    query: (route) => method(route, 'query', json) as never,
    body: (route) => method(route, 'body', json) as never,
    store: (route) => method(route, 'body', store) as never,
    storeJson: (route, json, options) => {
      const [verb, path] = route.split(' ') as [string, string]
      return store({ method: verb, path, body: json }, options) as never
    },
    file: (route) => method(route, 'plain', file) as never,
    queriedFile: (route) => method(route, 'query', file) as never,
  }
}

function method(route: Route, kind: 'plain' | 'query' | 'body', send: Send) {
  const [verb, template] = route.split(' ') as [string, string]
  const parts = template.split(/\{\w+\}/)
  return async (...given: unknown[]) => {
    let at = 0
    const path = parts.reduce((path, part) => path + encodeURIComponent(idOf(given[at++], route)) + part)
    const input = kind === 'plain' ? undefined : given[at++]
    const options = given[at] as CallOptions | undefined
    const outgoing: Outgoing = { method: verb, path }
    if (kind === 'query') outgoing.path += queryOf(input as object | undefined)
    if (kind === 'body' && input !== undefined) {
      requireSendable(input, verb === 'DELETE')
      outgoing.body = JSON.stringify(input)
    }
    return send(outgoing, options)
  }
}

/** An empty one, or dots, would name another path. */
function idOf(id: unknown, route: string): string {
  const text = String(id ?? '')
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${route} needs an id, not ${JSON.stringify(id)}`)
  return text
}

function queryOf(query: object = {}): string {
  requireSendableQuery(query)
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
