import type { AnswerOf, BatchRoute } from './operations.ts'

/** What every error of this package is. */
export class MemoryError extends Error {
  override name = 'MemoryError'
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
  override name = 'ConnectionError'
}

/** There was no whole answer within `timeoutMs`, or the time limit of `fetch`. What was asked may have been done, or may yet be. */
export class TimeoutError extends MemoryError {
  override name = 'TimeoutError'
}

/** The call's signal fired; `cause` is its reason. */
export class AbortedError extends MemoryError {
  // What fetch and others name it.
  override name = 'AbortError'
}

/** An answer that says success but is no JSON object or list, or no stream where one was asked for: something else than the service answered. */
export class InvalidAnswerError extends MemoryError {
  override name = 'InvalidAnswerError'
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
  override name = 'ApiError'
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
  override name = 'BadRequestError'
}

/** 401: the key or token is missing, wrong, expired or revoked. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** 403: the caller is known and not allowed to. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}

/** 404 */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** 409: not in the present state of things. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}

/** 412: the pattern has another version than `ifMatch` says. */
export class PreconditionError extends ApiError {
  override name = 'PreconditionError'
}

/** 413: the body is too large. */
export class TooLargeError extends ApiError {
  override name = 'TooLargeError'
}

/** 422: `issues` says which fields are wrong, and how. */
export class ValidationError extends ApiError {
  override name = 'ValidationError'
}

/** 429: a quota of the plan is used up, or there were too many attempts; `retryAfterS` says for how long. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}

/** 5xx: the service failed, or can't be reached behind its proxy. */
export class ServerError extends ApiError {
  override name = 'ServerError'
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
