import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Registry } from 'prom-client'
import { ApiError, errors, unavailableRetryS } from '../catalogue/errors.ts'
import { isDatabaseUnavailable } from '../platform/database/unavailable.ts'
import { endUnread, inOrder } from '../platform/http-connections.ts'
import { refuseMalformed, wellFormed } from '../platform/http-malformed.ts'
import type { Log } from '../platform/log.ts'
import { isFromThisMachine, isOwnRequest } from './own-request.ts'
import { type Dependencies, readReadiness } from './readiness.ts'

/** What the operators' listener needs to know of a process. */
export interface Watched extends Dependencies {
  metrics: { registry: Registry }
  log: Log
  /** Set when the process is told to stop. */
  readonly leaving: boolean
}

/** Headers that keep other sites from framing the answers, and browsers from guessing their type. */
const safeguards = {
  'Content-Security-Policy': "frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

/**
 * An operators' listener: `/healthz`, `/readyz` and `/metrics`, open to everybody who can reach it under a name or address of
 * this machine or network.
 * @param answerMore handles other requests. Only those from this machine: credentials must not cross a network without TLS
 */
export function createOpsListener(
  watched: Watched,
  answerMore: (req: IncomingMessage, res: ServerResponse) => Promise<void> = answerNotFound,
): Server {
  const listener: RequestListener = (req, res) => {
    for (const [name, value] of Object.entries(safeguards)) res.setHeader(name, value)
    const answer = req.method === 'GET' ? answers[req.url ?? ''] : undefined
    if (!isOwnRequest(req) || (answer === undefined && !isFromThisMachine(req))) {
      // What is left of the body is not read.
      res.setHeader('Connection', 'close')
      sendJson(res, 403, { detail: 'Forbidden' })
      return
    }
    const work = answer === undefined ? answerMore(req, res) : answer(watched, res)
    work.catch((error) => {
      const told = error instanceof ApiError && error.code === 'unavailable' ? error : undefined
      const isUnavailable = told !== undefined || isDatabaseUnavailable(error)
      if (isUnavailable) watched.log.warn({ reason: String(error) }, 'operator request refused')
      else watched.log.error({ err: error }, 'operator request failed')
      if (res.headersSent) res.destroy()
      else if (isUnavailable)
        sendUnavailable(res, told?.retryAfterS ?? unavailableRetryS.database, told?.detail)
      else sendError(res, 'internal')
    })
  }
  const server = createServer({ requireHostHeader: false }, inOrder(wellFormed(listener, safeguards)))
  refuseMalformed(server, safeguards)
  endUnread(server)
  return server
}

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

export function sendError(res: ServerResponse, code: keyof typeof errors): void {
  sendJson(res, errors[code].status, { detail: errors[code].detail })
}

function sendUnavailable(
  res: ServerResponse,
  retryAfterS: number,
  detail: string = errors.unavailable.detail,
): void {
  res.setHeader('Retry-After', String(retryAfterS))
  sendJson(res, errors.unavailable.status, { detail })
}

const answers: Record<string, (watched: Watched, res: ServerResponse) => Promise<void>> = {
  '/healthz': async (_, res) => sendJson(res, 200, { status: 'ok' }),
  '/readyz': answerReadiness,
  '/metrics': async ({ metrics: { registry } }, res) => {
    const text = await registry.metrics()
    res.writeHead(200, { 'Content-Type': registry.contentType }).end(text)
  },
}

async function answerReadiness(watched: Watched, res: ServerResponse): Promise<void> {
  if (watched.leaving) sendUnavailable(res, unavailableRetryS.leaving)
  else sendJson(res, 200, await readReadiness(watched))
}

async function answerNotFound(_req: IncomingMessage, res: ServerResponse): Promise<void> {
  sendError(res, 'not_found')
}
