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
import type { ErrorRequestHandler, Response } from 'express'
import { countError, type Metrics } from '../ops/metrics.ts'
import { sendJson } from './send-json.ts'

/** The one place that turns an error into an answer. What is not for the caller goes to the log. */
export function errorAnswers(log: Log, metrics: Metrics): ErrorRequestHandler {
  const tellAway = awayTeller(log)
  return (error: unknown, _req, res, _next) => {
    if (res.headersSent) {
      // What has begun can only be broken off, which the client sees.
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
    if (answer.code === 'unavailable') tellAway(error, res.locals.requestId)
    else if (answer.status >= 500)
      log.error({ err: error, requestId: res.locals.requestId }, 'request failed')
    sendError(res, answer)
  }
}

/** Until a cause is told again, and how many are told in that time. */
const againMs = 60_000
const causesMax = 20

/**
 * Tells the log why requests are refused. While a database is away all are, and a stack for each would bury all other lines; each
 * has its line with the 503 all the same.
 */
function awayTeller(log: Log): (error: unknown, requestId: unknown) => void {
  const toldMs = new Map<string, number>()
  return (error, requestId) => {
    const now = performance.now()
    for (const [cause, atMs] of toldMs) if (now - atMs >= againMs) toldMs.delete(cause)
    const cause = causeOf(error)
    if (toldMs.has(cause) || toldMs.size === causesMax) return
    toldMs.set(cause, now)
    log.warn({ err: error, requestId }, 'requests refused')
  }
}

export function sendError(res: Response, error: ApiError): void {
  if (error.retryAfterS !== undefined) res.setHeader('Retry-After', String(error.retryAfterS))
  if (error.allowance !== undefined) announceAllowance(res, error.allowance)
  if (error.status === errors.not_authenticated.status) {
    res.setHeader('WWW-Authenticate', res.locals.challenge ?? 'Bearer')
  }
  sendJson(res, error.status, JSON.stringify({ detail: error.detail }))
}

/** Says what is left of the day's queries (draft-ietf-httpapi-ratelimit-headers-05, which most clients read). */
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
  // A path that is no valid percent-encoding names nothing.
  if (error instanceof URIError) return new ApiError('not_found', { cause: error })
  return new ApiError('internal', { cause: error })
}
