import {
  type Allowance,
  ApiError,
  errors,
  unavailableRetryS,
  ValidationError,
} from '@memory/shared/catalogue/errors'
import { isDatabaseUnavailable } from '@memory/shared/platform/database/unavailable'
import { causeOf } from '@memory/shared/platform/failure-log'
import type { Log } from '@memory/shared/platform/log'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { countError, type Metrics } from '../ops/metrics.ts'
import { sendJson } from './send-json.ts'

/** The one place that turns an error into an answer. Details that are not for the caller go to the log. */
export function errorAnswers(log: Log, metrics: Metrics): ErrorRequestHandler {
  const logRefused = refusalLog(log)
  return (error: unknown, req, res, _next) => {
    if (res.headersSent) {
      // Part of an answer has been sent: closing the connection is the only way to tell the client of an error.
      log.error({ err: error, requestId: res.locals.requestId }, 'answer broken off')
      res.destroy()
      return
    }
    if (error instanceof ValidationError) {
      sendJson(res, 422, JSON.stringify({ detail: error.entries }))
      return
    }
    const answer = toApiError(error)
    countError(metrics, answer.code)
    if (answer.code === 'unavailable') logRefused(error, req, res.locals.requestId)
    else if (answer.status >= 500)
      log.error({ err: error, requestId: res.locals.requestId }, 'request failed')
    sendError(res, answer)
  }
}

/** The same cause is logged once in this time. */
const againMs = 60_000
/** The most causes that are logged in that time. */
const causesMax = 20

/**
 * Logs why requests are refused with 503, once a minute for each cause. While a database is down every request is refused,
 * and a stack trace for each would bury all other lines. The line that every request gets in the log is not affected.
 */
function refusalLog(log: Log): (error: unknown, req: Request, requestId: unknown) => void {
  const loggedAtMs = new Map<string, number>()
  return (error, req, requestId) => {
    const now = performance.now()
    for (const [cause, atMs] of loggedAtMs) if (now - atMs >= againMs) loggedAtMs.delete(cause)
    // A statement that takes too long, or collides with others, has to do with its operation; a database that is down has not.
    const cause = `${causeOf(error)}${isOfStatement(error) ? `, ${req.method} ${req.route?.path}` : ''}`
    if (loggedAtMs.has(cause) || loggedAtMs.size === causesMax) return
    loggedAtMs.set(cause, now)
    log.warn({ err: error, requestId }, 'requests refused')
  }
}

/** Whether a statement was ended by a time limit (SQLSTATE 57014, or the driver's own), or because of others (class 40). */
const isOfStatement = (error: unknown): boolean =>
  error instanceof Error &&
  (/^(?:57014|40)/.test(String((error as { code?: unknown }).code ?? '')) ||
    error.message === 'Query read timeout')

export function sendError(res: Response, error: ApiError): void {
  if (error.retryAfterS !== undefined) res.setHeader('Retry-After', String(error.retryAfterS))
  if (error.allowance !== undefined) announceAllowance(res, error.allowance)
  if (error.status === errors.not_authenticated.status) {
    res.setHeader('WWW-Authenticate', res.locals.challenge ?? 'Bearer')
  }
  sendJson(res, error.status, JSON.stringify({ detail: error.detail }))
}

/** Answers the other methods of paths that can only be read. */
export const refuseWrites: RequestHandler = (_req, res) => {
  res.setHeader('Allow', 'GET, HEAD')
  sendError(res, new ApiError('method_not_allowed'))
}

/** Sets the headers for what is left of the day's queries (draft-ietf-httpapi-ratelimit-headers-05, which most clients read). */
export function announceAllowance(res: Response, { limit, remaining, resetS }: Allowance): void {
  res.setHeader('RateLimit-Limit', String(limit))
  res.setHeader('RateLimit-Remaining', String(remaining))
  res.setHeader('RateLimit-Reset', String(resetS))
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isDatabaseUnavailable(error)) {
    return new ApiError('unavailable', { retryAfterS: unavailableRetryS.database, cause: error })
  }
  // A path with invalid percent-encoding is the path of nothing.
  if (error instanceof URIError) return new ApiError('not_found', { cause: error })
  return new ApiError('internal', { cause: error })
}
