import { randomUUID } from 'node:crypto'
import { ServerResponse } from 'node:http'
import { ApiError, unavailableRetryS } from '@memory/shared/catalogue/errors'
import { arrivedMsOf } from '@memory/shared/platform/http-connections'
import type { Log } from '@memory/shared/platform/log'
import { TimeSpent } from '@memory/shared/platform/time-spent'
import type { RequestHandler, Response } from 'express'
import type { Metrics } from '../ops/metrics.ts'
import { sendError } from './error-answers.ts'

const wellFormedId = /^[A-Za-z0-9._-]{1,128}$/

/** Gives every answer an `X-Request-Id`: the request's own when it is well formed. */
export const requestId: RequestHandler = (req, res, next) => {
  const given = req.headers['x-request-id']
  const id = typeof given === 'string' && wellFormedId.test(given) ? given : randomUUID()
  res.locals.requestId = id
  res.setHeader('X-Request-Id', id)
  next()
}

/** Answers are data: browsers should not render, frame, sniff or store them. */
export const securityHeaderValues = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const

const securityHeaderEntries = Object.entries(securityHeaderValues)

export const securityHeaders: RequestHandler = (_req, res, next) => {
  for (const [name, value] of securityHeaderEntries) res.setHeader(name, value)
  next()
}

/**
 * Headers that this service reads and of which HTTP knows one at most. Sent twice, a proxy might check the first one while Node
 * uses the second, or joins them to what nobody has sent. Lists, as `If-Match` and `Prefer` are, may come in several headers.
 */
const singleHeaders =
  /^(?:authorization|content-type|host|idempotency-key|last-event-id|x-api-key|x-memory-(?:actor|environment)|x-organization-id)$/i

/** Refuses a request that has one of `singleHeaders` twice, in any letter case, even with equal values. */
export const refuseRepeatedHeaders: RequestHandler = ({ rawHeaders }, res, next) => {
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (!singleHeaders.test(name)) continue
    if (seen.has(name.toLowerCase())) {
      sendError(res, new ApiError('repeated_header'))
      return
    }
    seen.add(name.toLowerCase())
  }
  next()
}

/** Browser pages of exactly these origins may call the API; others get no header and so no access. */
export function cors(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins)
  return (req, res, next) => {
    const { origin } = req.headers
    if (allowed.size > 0) res.vary('Origin')
    if (origin === undefined || !allowed.has(origin)) {
      next()
      return
    }
    res.setHeader('Access-Control-Allow-Origin', origin)
    res.setHeader(
      'Access-Control-Expose-Headers',
      'X-Request-Id, Retry-After, Idempotent-Replay, ETag, X-Ignored-Fields, Preference-Applied, Deprecation, Link, Server-Timing, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, WWW-Authenticate',
    )
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) {
      next()
      return
    }
    res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE')
    res.setHeader(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-API-Key, X-Memory-Actor, X-Memory-Environment, X-Organization-Id, X-Request-Id, Mcp-Method, Mcp-Name, MCP-Protocol-Version',
    )
    res.setHeader('Access-Control-Max-Age', '600')
    res.statusCode = 204
    res.end()
  }
}

/**
 * Turns clients and load balancers away from a process that is being stopped. While it is leaving, each answer closes its
 * connection and readiness says no; while it is draining, all new requests are refused as well. Liveness stays good.
 */
export function refuseWhileDraining(
  state: { readonly leaving: boolean; readonly draining: boolean },
  livenessPath: string,
  readinessPath: string,
): RequestHandler {
  return (req, res, next) => {
    if (state.leaving || state.draining) res.setHeader('Connection', 'close')
    const isRefused = state.draining || (state.leaving && req.path === readinessPath)
    if (isRefused && req.path !== livenessPath) {
      sendError(res, new ApiError('unavailable', { retryAfterS: unavailableRetryS.leaving }))
      return
    }
    next()
  }
}

/** Begins to measure what the time of a request is spent on (see `withServerTiming`). */
export const timeRequests: RequestHandler = (_req, res, next) => {
  res.locals.spent = new TimeSpent()
  next()
}

/**
 * Adds to every answer a `Server-Timing` header: what the time of the request was spent on, in milliseconds. Callers who are
 * not authenticated get the total only: for a sign-in that fails, the parts might reveal whether the account exists.
 *
 * @param response the prototype of Express' answers. Patched once, since setting a method on each answer takes 10 us
 */
export function withServerTiming(response: Response): void {
  const { writeHead } = ServerResponse.prototype
  // Called once for every answer, when its first bytes are sent.
  response.writeHead = function (this: Response, ...given: Parameters<typeof writeHead>) {
    const { organizationId, userId, spent, arrivedMs } = this.locals
    if (spent instanceof TimeSpent) {
      let all = ''
      if (organizationId !== undefined || userId !== undefined)
        for (const [name, ms] of spent.entries()) all += `${name};dur=${ms.toFixed(2)}, `
      this.setHeader('Server-Timing', `${all}total;dur=${(performance.now() - arrivedMs).toFixed(2)}`)
    }
    return writeHead.apply(this, given)
  } as typeof response.writeHead
}

/** Logs and measures each request once, with the route's template and never with the path, query or body. */
export function observeRequests(log: Log, metrics: Metrics): RequestHandler {
  return (req, res, next) => {
    const started = performance.now()
    res.locals.arrivedMs = arrivedMsOf(req)
    res.once('close', () => {
      const ms = performance.now() - started
      const route: string = res.locals.route ?? 'unknown'
      // A stream lasts until its client hangs up: that is no 499, and its duration says nothing about speed.
      const isStream = res.locals.isStream === true
      const status = res.writableFinished || isStream ? res.statusCode : 499
      if (!isStream) metrics.requestSeconds.observe({ method: req.method, route, status }, ms / 1_000)
      const { requestId, organizationId, keyId, userId } = res.locals
      log.info(
        {
          requestId,
          method: req.method,
          route,
          status,
          ms: Math.round(ms * 100) / 100,
          organizationId,
          keyId,
          userId,
        },
        'request',
      )
    })
    next()
  }
}
