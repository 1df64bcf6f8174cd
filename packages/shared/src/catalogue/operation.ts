import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Role } from './roles.ts'
import type { Scope } from './scopes.ts'

/**
 * Who may call an operation: with a scope, API keys that have it and users by their access token; `user`, users only;
 * `platform_admin`, those of them who run the service.
 */
export type Access = Scope | 'user' | 'platform_admin' | 'anyone'

/** Whether API keys are admitted, those with this scope. */
export const isScope = (access: Access): access is Scope => access.includes(':')

/** Rules for how often a caller may do what writes to the audit log, or sends something somewhere. */
type OperationLimit = 'userChange' | 'webhookChange' | 'webhookTest' | 'anomaly'

/** How often an operation may be called: by one user where only users may, else by one organization. */
export function limitOf({ access, method, limit }: Pick<Operation, 'access' | 'method' | 'limit'>) {
  if (limit !== undefined || method === 'get') return limit
  if (access === 'user') return 'userChange'
  return access === 'webhooks:write' ? 'webhookChange' : undefined
}

/** What requests under /v1/memory are counted as, and how long their answers took is kept for; the rest is `other`. */
export const usageClasses = ['store', 'retrieve', 'recall', 'explain', 'consolidate'] as const
export type UsageClass = (typeof usageClasses)[number]

type Shape = z.ZodObject
type Read<Schema, Otherwise = undefined> = Schema extends z.ZodType ? z.output<Schema> : Otherwise

/**
 * One operation of the API, whole: routing, authentication, quota, validation, types and the OpenAPI document are
 * all read from this.
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
  /** What requests for it are counted as. */
  usage?: UsageClass
  params?: Params
  query?: Query
  body?: Body
  response: Response
  /** Media type of answers that are bytes; JSON unless said. */
  media?: string
  status?: number
  /** Errors beyond those that every operation of its kind has. */
  errors?: readonly ErrorCode[]
  /** Greatest body in bytes; `limits.bodyBytes` unless said. */
  bodyBytes?: number
  /** Where a body has vectors, whose numbers are then read as Float32Array, in half the time: `patterns.*.key`. */
  vectors?: readonly string[]
  /** Queries that a valid request counts against the plan's day. */
  queries?(body: Read<Body>): number
  /** The search that the work will do, if it is over all of the space: it may begin before it is known who calls. */
  searches?(body: Read<Body>): ExpectedSearch | undefined
  /** How often it may be called by one organization, where `limitOf` does not say it. */
  limit?: OperationLimit
  /**
   * Opens it to callers who are bound to an end user: `search`, with its filters narrowed to that user; `rows`, where what
   * the database lets such a caller see and change is all that it works with; `none`, where it works on nothing that is
   * stored. Without it they are refused.
   */
  subjects?: 'search' | 'rows' | 'none'
  /** Answers server-sent events for as long as the client listens, after the one that its `Last-Event-ID` names. */
  streams?: boolean
  /** Takes an `Idempotency-Key`. */
  idempotent?: boolean
  /** Its answers have a `version`, which is their `ETag`; where it changes something, `If-Match` may ask for one. */
  versioned?: boolean
  /** Its answers have an `etag`, which is their `ETag`; where `If-None-Match` names it, the answer is an empty 304. */
  tagged?: boolean
  /** Seconds for which anybody may keep the answer; without it nobody may. */
  keepS?: number
  /** See `selects`, which says what holds unless this does. */
  selects?: boolean
  /** See `removes`, which says what holds unless this does. */
  removes?: boolean
  /** Says that another operation should be used: since when, and the path of that one. */
  deprecated?: { since: Date; successor: string }
}

/**
 * Whether an operation reads, changes or removes what a selector could narrow. It refuses selectors that it does not
 * have: the answer to a search for one user must not be everybody's. So does whatever reads or deletes, unless its
 * description says that it works on what it is given alone.
 */
export const selects = ({ access, method, selects }: Operation): boolean =>
  selects ?? (access !== 'anyone' && (method === 'get' || method === 'delete' || access === 'memory:read'))

/** Whether an operation that selects removes what it selects; a POST that takes more than reading does, and a PUT changes something. */
export const removes = ({ access, method, removes }: Operation): boolean =>
  removes ?? (method === 'delete' || (method === 'post' && access !== 'memory:read'))

/** The `ETag` of a version, or of a tag that an answer has itself (RFC 9110). */
export const etagOf = (version: number | string): string => `"${version}"`

/** A search with one vector among all patterns of a space. */
export interface ExpectedSearch {
  query: Float32Array
  k: number
  /** Least cosine. */
  minScore: number
}

/** What a handler gets of a valid request. */
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
  /** Whether it came from this machine itself, and not through a proxy on it. */
  isLocal: boolean
}

/** A user whom an access token stands for. */
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

/** An end user whom a caller is bound to: nothing of others is there for such a caller. */
export interface SubjectBinding {
  name: string
  /** Whether what is of no end user may be read too. */
  isShared: boolean
}

/** Who sent a request, and the space it works on. */
export interface Caller {
  actor: Actor
  origin: Origin
  organizationId: string
  environment: 'live' | 'test'
  spaceId: string
  /** The space's version when the request was authenticated: no answer may be older. */
  spaceVersion: number
  /** The engine's version when the request was authenticated: what was learned up to then counts. */
  engineVersion: number
  /** Whose use is learned from: the end user that the request names, else the key or session. */
  user: string
  /** What the caller may do; null for everything. */
  scopes: readonly Scope[] | null
  /** The end user whom the caller is bound to; undefined for a caller who sees the whole space. */
  subject?: SubjectBinding | undefined
  /** Patterns that the plan allows in this space; -1 for no limit. */
  patternsLimit: number
  /** Fires when the client has hung up. */
  signal?: AbortSignal | undefined
  /** Takes what nobody should wait for: done when the answer is sent, before the next request is read. */
  afterAnswer?(work: () => void): void
}
