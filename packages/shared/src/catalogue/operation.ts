import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'

/**
 * Who may call an operation. A scope: API keys that have it, and users with an access token; `user`: only users;
 * `platform_admin`: only users who are platform admins.
 */
export type Access = Scope | 'user' | 'platform_admin' | 'anyone'

/** Whether the access is a scope, so that API keys with it may call the operation. */
export const isScope = (access: Access): access is Scope => access.includes(':')

/** Rate limits, for operations that write to the audit log or send something to other systems. */
type OperationLimit = 'userChange' | 'webhookChange' | 'webhookTest' | 'anomaly'

/** The rate limit of an operation, if any. It counts per user for operations that only users may call, else per organization. */
export function limitOf({ access, method, limit }: Pick<Operation, 'access' | 'method' | 'limit'>) {
  if (limit !== undefined || method === 'get') return limit
  if (access === 'user') return 'userChange'
  return access === 'webhooks:write' ? 'webhookChange' : undefined
}

/** The classes in which requests under /v1/memory are counted and their latencies stored; all others are `other`. */
export const usageClasses = ['store', 'retrieve', 'recall', 'explain', 'consolidate'] as const
export type UsageClass = (typeof usageClasses)[number]

type Shape = z.ZodObject
type Read<Schema, Otherwise = undefined> = Schema extends z.ZodType ? z.output<Schema> : Otherwise

/**
 * The complete description of one operation of the API: routing, authentication, quota, validation, types and the OpenAPI
 * document all follow from it.
 */
export interface Operation<
  Params extends Shape | undefined = Shape | undefined,
  Query extends Shape | undefined = Shape | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Response extends z.ZodType = z.ZodType,
> {
  id: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With path parameters in braces: `/v1/memory/patterns/{pattern_id}`. */
  path: string
  tag: string
  summary: string
  description?: string
  access: Access
  /** The class in which its requests are counted. */
  usage?: UsageClass
  params?: Params
  query?: Query
  body?: Body
  response: Response
  /** The media type of answers that are files; by default answers are JSON. */
  media?: string
  status?: number
  /** Errors in addition to those that all operations of its kind have. */
  errors?: readonly ErrorCode[]
  /** The most bytes of a body; by default `limits.bodyBytes`. */
  bodyBytes?: number
  /** The places of vectors in a body, such as `patterns.*.key`. They are parsed as Float32Array, in half the time. */
  vectors?: readonly string[]
  /** The number of queries that a valid request counts against the plan's daily quota; by default 0. */
  queries?(body: Read<Body>): number
  /**
   * The vector search that the handler will do, if it is over the whole space: it may begin before the caller is authenticated.
   */
  searches?(body: Read<Body>): ExpectedSearch | undefined
  /** The rate limit, if it is not the default of `limitOf`. */
  limit?: OperationLimit
  /**
   * Allows the operation for callers who are bound to an end user; without it they are refused. `search`: its filters are
   * narrowed to that end user; `rows`: it works only on rows, and the database shows such a caller only their own; `none`: it
   * works on nothing stored.
   */
  subjects?: 'search' | 'rows' | 'none'
  /** Waits for no turn among other requests and is never refused for their number. Only for what costs nothing. */
  unqueued?: boolean
  /** Answers with server-sent events, which continue after the one named by `Last-Event-ID`. */
  streams?: boolean
  /** Accepts an `Idempotency-Key`. */
  idempotent?: boolean
  /**
   * Its answers have a field `version`, which is also their `ETag`; if it changes something, `If-Match` may require a version.
   */
  versioned?: boolean
  /** Its answers have a field `etag`, which is also their `ETag`; when `If-None-Match` names it, the answer is an empty 304. */
  tagged?: boolean
  /** Seconds for which any cache may store the answer; by default none may. */
  keepS?: number
  /** Overrides the default of the function `selects`. */
  selects?: boolean
  /** Overrides the default of the function `removes`. */
  removes?: boolean
  /** Set for a deprecated operation: since when, and the path of its successor. */
  deprecated?: { since: Date; successor: string }
}

/**
 * Whether an operation selects patterns or other things, so that it must refuse selectors (such as `user_id`) that it does not
 * have: ignoring one would answer a search for one user with everybody's memories. By default, all operations that read or
 * delete do; it must be said of others that do something to all there is, such as a sleep.
 */
export const selects = ({ access, method, selects }: Operation): boolean =>
  selects ?? (access !== 'anyone' && (method === 'get' || method === 'delete' || access === 'memory:read'))

/** Whether an operation removes what it selects. By default: a DELETE, and a POST that needs more than the right to read. */
export const removes = ({ access, method, removes }: Operation): boolean =>
  removes ?? (method === 'delete' || (method === 'post' && access !== 'memory:read'))

/** The `ETag` header for an answer's `version` or `etag` (RFC 9110). */
export const etagOf = (version: number | string): string => `"${version}"`

/** A search with one vector among all patterns of a space. */
export interface ExpectedSearch {
  query: Float32Array
  k: number
  /** The least cosine similarity of results. */
  minScore: number
}

/** The validated parts of a request that a handler gets. */
export interface Input<Op> {
  params: Op extends { params: infer S extends z.ZodType } ? z.output<S> : undefined
  query: Op extends { query: infer S extends z.ZodType } ? z.output<S> : undefined
  body: Op extends { body: infer S extends z.ZodType } ? z.output<S> : undefined
}

export type Output<Op> = Op extends { response: infer S extends z.ZodType } ? z.input<S> : never

/** Checks an operation's description and keeps its exact types. */
export function operation<
  const Op extends Operation<Params, Query, Body, Response>,
  Params extends Shape | undefined,
  Query extends Shape | undefined,
  Body extends z.ZodType | undefined,
  Response extends z.ZodType,
>(description: Op & Operation<Params, Query, Body, Response>): Op {
  return description
}

/** Who sent a request. */
export type Actor =
  | { kind: 'key'; keyId: string }
  | { kind: 'user'; userId: string; sessionId: string; email: string; role: Role }

/** Where a request came from, for the audit log. */
export interface Origin {
  requestId: string
  ip: string | null
  userAgent: string | null
  /** Whether it came from this machine itself, and not from elsewhere through a proxy on this machine. */
  isLocal: boolean
}

/** The user of an access token. */
export interface SignedIn {
  userId: string
  sessionId: string
  email: string
  emailVerified: boolean
  isPlatformAdmin: boolean
  /** The organization that the request is for; null for a user who belongs to none. */
  organization: { id: string; role: Role } | null
  origin: Origin
}

/** An end user to whom a caller is bound. Such a caller can't see or change anything of other end users. */
export interface SubjectBinding {
  name: string
  /** Whether shared patterns, those that belong to no end user, may be read too. */
  isShared: boolean
}

/** Who sent a request, and the space it works on. */
export interface Caller {
  actor: Actor
  origin: Origin
  organizationId: string
  environment: 'live' | 'test'
  spaceId: string
  /** The space's version when the request was authenticated: the answer must not be based on an older one. */
  spaceVersion: number
  /** The engine's version when the request was authenticated: the answer must include everything learned up to it. */
  engineVersion: number
  /** The actor whose use the space learns from: the one that the request names, else the key or session. */
  user: string
  /** The caller's scopes; null for all. */
  scopes: readonly Scope[] | null
  /** The end user to whom the caller is bound; undefined for a caller who sees the whole space. */
  subject?: SubjectBinding | undefined
  /** Patterns that the plan allows in this space; -1 for no limit. */
  patternsLimit: number
  /** Fires when the client has hung up. */
  signal?: AbortSignal | undefined
  /** Puts work off until the answer was sent; it is done before the next request is read. */
  afterAnswer?(work: () => void): void
}
