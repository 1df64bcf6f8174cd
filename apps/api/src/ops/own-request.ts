import type { IncomingMessage } from 'node:http'

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/**
 * Whether a request to the page was meant by who sits at this machine: a browser sends one for any site it shows, by a
 * name that leads here or across origins.
 */
export function isOwnRequest({ headers }: IncomingMessage): boolean {
  const { host = '', origin } = headers
  if (!loopback.test(host)) return false
  return origin === undefined || origin === `http://${host}`
}
