import type { IncomingMessage } from 'node:http'
import { isOwnHost } from '@memory/shared/ops/own-request'
import type { Config } from '@memory/shared/platform/config'

/**
 * Whether a request was meant for this server by whoever sent it: a browser sends one for any page that it shows, under a name
 * that was made to lead here (DNS rebinding) or across origins. Programs send no `Origin`.
 */
export function isMeant(req: IncomingMessage, { publicBaseUrl, corsOrigins }: Config['http']): boolean {
  const { host, origin } = req.headers
  if (!isMeantFor(req, { publicBaseUrl })) return false
  return (
    origin === undefined ||
    (publicBaseUrl !== undefined && origin === new URL(publicBaseUrl).origin) ||
    corsOrigins.includes(origin) ||
    // A page of this very address, which only what is in front of it can be.
    origin === `http://${host}`
  )
}

/** Whether the name by which a request has come is one of the service. */
export function isMeantFor(
  req: IncomingMessage,
  { publicBaseUrl }: Pick<Config['http'], 'publicBaseUrl'>,
): boolean {
  if (isOwnHost(req)) return true
  return publicBaseUrl !== undefined && req.headers.host?.toLowerCase() === new URL(publicBaseUrl).host
}
