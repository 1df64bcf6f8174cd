import type { components, paths } from './generated/openapi.ts'

/** The shapes of the API by their names, as `/openapi.json` has them. */
export type Schemas = components['schemas']

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Path = keyof paths & string

/** Every operation of the API: `POST /v1/memory/text/store`. */
export type Route = {
  [P in Path]: { [V in Verb]: paths[P][V] extends object ? `${Uppercase<V>} ${P}` : never }[Verb]
}[Path]

type OperationOf<R extends Route> = R extends `${infer V} ${infer P extends Path}`
  ? paths[P][Lowercase<V> & Verb]
  : never

type JsonOf<Requested> = Requested extends { content: { 'application/json': infer Body } } ? Body : never

type BodyOf<R extends Route> =
  OperationOf<R> extends { requestBody?: infer Requested } ? JsonOf<Exclude<Requested, undefined>> : never

type QueryOf<R extends Route> =
  OperationOf<R> extends { parameters: { query?: infer Query } } ? Exclude<Query, undefined> : never

/** Whether an operation takes a body, a query, or neither. */
type Kind<R extends Route> = [BodyOf<R>] extends [never]
  ? [QueryOf<R>] extends [never]
    ? 'plain'
    : 'query'
  : 'body'

/** The operations of a kind. */
export type RouteOf<K extends 'plain' | 'query' | 'body'> = {
  [R in Route]: Kind<R> extends K ? R : never
}[Route]

/** A body without the nulls that the client refuses (see `requireSendable`): what can say what would go removes by its fields. */
type Sendable<Body> = {
  [Name in keyof Body]: Name extends 'subject'
    ? Body[Name]
    : Name extends 'filter'
      ? NonNullable<Body[Name]>
      : 'dry_run' extends keyof Body
        ? NonNullable<Body[Name]>
        : Body[Name]
}

/** A query, whose filter the client writes as JSON; the filter says who is meant where that is several subjects, or nobody. */
type Queried<Query> = {
  [Name in keyof Query]: Name extends 'filter'
    ? { [key: string]: unknown } | string
    : Name extends 'subject'
      ? 'filter' extends keyof Query
        ? string | string[] | null
        : Query[Name]
      : Query[Name]
}

/** What an operation is given beside the ids in its path: its body or its query. */
export type InputOf<R extends Route> = [BodyOf<R>] extends [never] ? Queried<QueryOf<R>> : Sendable<BodyOf<R>>

type Success<R extends Route> =
  OperationOf<R> extends { responses: infer Responses }
    ? Responses[keyof Responses & (200 | 201 | 202)]
    : never

/** What an operation answers; a file as a Blob. */
export type AnswerOf<R extends Route> =
  Success<R> extends { content: { 'application/json': infer Answer } } ? Answer : Blob

type IdsOf<P extends string> = P extends `${string}{${string}}${infer Rest}`
  ? [id: string | number, ...ids: IdsOf<Rest>]
  : []

type InputIsOptional<R extends Route> =
  Kind<R> extends 'query'
    ? OperationOf<R> extends { parameters: { query: object } }
      ? false
      : true
    : OperationOf<R> extends { requestBody: object }
      ? false
      : true

/** An object of any fields, and no list, date or promise. */
// biome-ignore lint/suspicious/noExplicitAny: an interface, which has no index signature, does not fit one of `unknown`
type OpenObject = { [key: string]: any } & {
  [Name in typeof Symbol.iterator | typeof Symbol.toPrimitive | typeof Symbol.toStringTag]?: never
}

/** Numbers in a typed array, such as a `Float32Array`. */
type TypedNumbers = ArrayLike<number> & { readonly BYTES_PER_ELEMENT: number }

/**
 * An input as a call takes it, so that usual values fit: a list may be readonly, since the client only reads it, one of numbers a
 * typed array, and an object of any fields may be one that an interface describes.
 */
type Given<Value> = Value extends readonly (infer Item)[]
  ? readonly Given<Item>[] | (number extends Item ? TypedNumbers : never)
  : Value extends object
    ? string extends keyof Value
      ? OpenObject
      : { [Name in keyof Value]: Given<Value[Name]> | Left<Value, Name> }
    : Value

/** undefined where a field may be so as well as left out (see `requireSendable`). */
type Left<Fields, Name extends keyof Fields> = Name extends 'filter' | 'subject'
  ? never
  : 'dry_run' extends keyof Fields
    ? never
    : object extends Pick<Fields, Name>
      ? undefined
      : never

/** The input of an operation as its method takes it. */
export type GivenOf<R extends Route> = Given<InputOf<R>>

type Inputs<R extends Route> =
  Kind<R> extends 'plain' ? [] : InputIsOptional<R> extends true ? [input?: GivenOf<R>] : [input: GivenOf<R>]

/** The operations that an Idempotency-Key makes repeatable: those that store, forget, and erase. */
export type KeyedRoute = {
  [R in Route]: OperationOf<R> extends { parameters: { header?: infer Headers } }
    ? 'idempotency-key' extends keyof Exclude<Headers, undefined>
      ? R
      : never
    : never
}[Route]

/** Calls one operation: the ids of its path in their order, its body or query, then options. */
export type Method<R extends Route> = (
  ...given: [...IdsOf<R>, ...Inputs<R>, options?: R extends KeyedRoute ? StoreOptions : CallOptions]
) => Promise<AnswerOf<R>>

/** The list of each batch, which may be longer than one request may be. */
export const batchLists = {
  'POST /v1/memory/text/batch-store': 'items',
  'POST /v1/memory/batch/store': 'patterns',
  'POST /v1/memory/batch/retrieve': 'queries',
  'POST /v1/memory/text/embed': 'texts',
  'POST /v1/embeddings': 'input',
} as const satisfies Partial<Record<Route, string>>

export type BatchRoute = keyof typeof batchLists

/** How one call differs from the client's settings. */
export interface CallOptions {
  /** Ends the call: it rejects with an `AbortedError`. */
  signal?: AbortSignal | undefined
  /** Time limit of each attempt, in ms; of a file that of each wait, for it to begin or to go on. */
  timeoutMs?: number | undefined
  /** How often the call may be tried again. */
  maxRetries?: number | undefined
  /** The end user whose use the space learns from (`X-Memory-Actor`). */
  actor?: string | undefined
  /** Changes a pattern only while it has this version (`If-Match`); else it throws an error of status 412. */
  ifMatch?: number | undefined
  /** Further headers, over those of the client. */
  headers?: Record<string, string> | undefined
  /** Hears of the answer before it is returned or thrown: status and headers, such as `X-Request-Id`. */
  onAnswer?: ((answer: { status: number; headers: Headers }) => void) | undefined
}

export interface TaggedOptions extends CallOptions {
  /** The `etag` of an earlier answer: while nothing of it has changed, the call gives undefined. */
  ifNoneMatch: string
}

/** Calls an operation whose answers have an `etag`. */
export interface TaggedMethod<R extends Route> {
  (input: GivenOf<R>, options: TaggedOptions): Promise<AnswerOf<R> | undefined>
  (input?: GivenOf<R>, options?: CallOptions): Promise<AnswerOf<R>>
}

export interface StoreOptions extends CallOptions {
  /**
   * Makes repeating the call harmless for 24 hours. Each call has one of its own unless said, the same for all of its
   * retries. null sends none, and then the call is never retried, since it might store twice.
   */
  idempotencyKey?: string | null | undefined
}
