import type { IncomingMessage } from 'node:http'
import { isOwnHost } from '@memory/shared/ops/own-request'
import type { Config } from '@memory/shared/platform/config'

/**
 * Whether a request was really meant for this server. Any page in a browser can send requests here, across origins or under a
 * host name that was made to resolve to this machine (DNS rebinding); those are refused. Other programs send no `Origin`.
 */
export function isMeant(req: IncomingMessage, { publicBaseUrl, corsOrigins }: Config['http']): boolean {
  const { host, origin } = req.headers
  if (!isForOwnHost(req, { publicBaseUrl })) return false
  return (
    origin === undefined ||
    (publicBaseUrl !== undefined && origin === new URL(publicBaseUrl).origin) ||
    corsOrigins.includes(origin) ||
    // A page of the same origin. The service itself has none that does this, but a proxy in front of it may.
    origin === `http://${host}`
  )
}

/** Whether the host name of a request is one of the service's. */
export function isForOwnHost(
  req: IncomingMessage,
  { publicBaseUrl }: Pick<Config['http'], 'publicBaseUrl'>,
): boolean {
  if (isOwnHost(req)) return true
  return publicBaseUrl !== undefined && req.headers.host?.toLowerCase() === new URL(publicBaseUrl).host
}
