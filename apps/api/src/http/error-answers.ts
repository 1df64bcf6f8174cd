import {
  type Allowance,
  ApiError,
  errors,
  unavailableRetryS,
  ValidationError,
} from '@memory/shared/catalogue/errors'
import { isDatabaseUnavailable } from '@memory/shared/platform/database/unavailable'
import type { Log } from '@memory/shared/platform/log'
import type { ErrorRequestHandler, Response } from 'express'
import { countError, type Metrics } from '../ops/metrics.ts'
import { sendJson } from './send-json.ts'

/** The one place that turns an error into an answer. What is not for the caller goes to the log. */
export function errorAnswers(log: Log, metrics: Metrics): ErrorRequestHandler {
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
    if (answer.status >= 500) log.error({ err: error, requestId: res.locals.requestId }, 'request failed')
    sendError(res, answer)
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
