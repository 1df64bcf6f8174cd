import type { AnswerOf, BatchRoute } from './operations.ts'

/**
 * Under which each class has its name. A program may have this package twice, by `import` and by `require`, and its classes
 * twice by that: the errors of both are known by these names.
 */
const kind: unique symbol = Symbol.for('memory-service-sdk.error')

interface Named {
  readonly [kind]: string
}

/** `error instanceof Class` by the names of the classes. */
function hasInstance(this: Named, error: unknown): boolean {
  // A class that a program has made of one of these is known by itself alone.
  if (!Object.hasOwn(this, kind)) return Function.prototype[Symbol.hasInstance].call(this, error)
  let each: unknown = (error as object | null | undefined)?.constructor
  while (typeof each === 'function' && (each as Partial<Named>)[kind] !== this[kind]) {
    each = Object.getPrototypeOf(each)
  }
  return typeof each === 'function'
}

/** What every error of this package is. */
export class MemoryError extends Error {
  static readonly [kind]: string = 'MemoryError'

  constructor(message?: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target[kind]
  }

  static override [Symbol.hasInstance] = hasInstance

  /** Of a batch that went in several requests: what those before the one that failed came to. */
  declare partial?: PartialAnswer
}

/** The part of a batch that was done. */
export interface PartialAnswer {
  /** How many items of the list, from the first on. */
  items: number
  /** What the service answered for them. */
  answer: AnswerOf<BatchRoute>
}

/** There was no connection, or it broke before the whole answer had come. What was asked may have been done. */
export class ConnectionError extends MemoryError {
  static override readonly [kind]: string = 'ConnectionError'
}

/** There was no whole answer within `timeoutMs`, or the time limit of `fetch`. What was asked may have been done, or may yet be. */
export class TimeoutError extends MemoryError {
  static override readonly [kind]: string = 'TimeoutError'
}

/** The call's signal fired; `cause` is its reason. */
export class AbortedError extends MemoryError {
  // What fetch and others name it.
  static override readonly [kind]: string = 'AbortError'
}

/** An answer that says success but is no JSON object (or list, where that is the answer), or no stream where one was asked for: something else than the service answered. */
export class InvalidAnswerError extends MemoryError {
  static override readonly [kind]: string = 'InvalidAnswerError'
}

/** A message was not signed with the secret, or not now. */
export class WebhookVerificationError extends MemoryError {
  static override readonly [kind]: string = 'WebhookVerificationError'
}

/** One entry of a 422's `detail`. */
export interface ValidationIssue {
  type: string
  /** Path to the field: `['body', 'text']`. */
  loc: (string | number)[]
  msg: string
  input?: unknown
  ctx?: Record<string, unknown>
}

/** The entries of a 422 in one line. */
export function detailOf(issues: readonly ValidationIssue[]): string {
  return issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
}

/** What of an answer an error keeps. */
export interface ErrorAnswer {
  status: number
  detail: string
  issues: readonly ValidationIssue[]
  requestId: string | undefined
  retryAfterS: number | undefined
}

/** The service answered with an error status. */
export class ApiError extends MemoryError {
  static override readonly [kind]: string = 'ApiError'
  readonly status: number
  /** The service's own words. */
  readonly detail: string
  /** What is wrong with the request, by field; of a 422. */
  readonly issues: readonly ValidationIssue[]
  /** Names the request in the service's log. */
  readonly requestId: string | undefined
  /** Seconds after which the same request may succeed. */
  readonly retryAfterS: number | undefined

  constructor({ status, detail, issues, requestId, retryAfterS }: ErrorAnswer) {
    super(`${detail} (${status}${retryAfterS === undefined ? '' : `, retry after ${retryAfterS} s`})`)
    this.status = status
    this.detail = detail
    this.issues = issues
    this.requestId = requestId
    this.retryAfterS = retryAfterS
  }
}

/** 400: the request could not be read. */
export class BadRequestError extends ApiError {
  static override readonly [kind]: string = 'BadRequestError'
}

/** 401: the key or token is missing, wrong, expired or revoked. */
export class AuthenticationError extends ApiError {
  static override readonly [kind]: string = 'AuthenticationError'
}

/** 403: the caller is known and not allowed to. */
export class PermissionError extends ApiError {
  static override readonly [kind]: string = 'PermissionError'
}

/** 404 */
export class NotFoundError extends ApiError {
  static override readonly [kind]: string = 'NotFoundError'
}

/** 409: not in the present state of things. */
export class ConflictError extends ApiError {
  static override readonly [kind]: string = 'ConflictError'
}

/** 412: the pattern has another version than `ifMatch` says. */
export class PreconditionError extends ApiError {
  static override readonly [kind]: string = 'PreconditionError'
}

/** 413: the body is too large. */
export class TooLargeError extends ApiError {
  static override readonly [kind]: string = 'TooLargeError'
}

/** 422: `issues` says which fields are wrong, and how. */
export class ValidationError extends ApiError {
  static override readonly [kind]: string = 'ValidationError'
}

/** 429: a quota of the plan is used up, or there were too many attempts; `retryAfterS` says for how long. */
export class RateLimitError extends ApiError {
  static override readonly [kind]: string = 'RateLimitError'
}

/** 5xx: the service failed, or can't be reached behind its proxy. */
export class ServerError extends ApiError {
  static override readonly [kind]: string = 'ServerError'
}

const byStatus: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionError,
  413: TooLargeError,
  422: ValidationError,
  429: RateLimitError,
}

/** The error of an answer's status. */
export function apiErrorOf(answer: ErrorAnswer): ApiError {
  const Class = byStatus[answer.status] ?? (answer.status >= 500 ? ServerError : ApiError)
  return new Class(answer)
}
