import type { IncomingMessage } from 'node:http'

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/**
 * Whether a request was meant by who sits at this machine: a browser sends one for any site it shows, by a name that
 * leads here (DNS rebinding) or across origins. Without a Host, as programs of HTTP/1.0 ask, it is from no browser.
 */
export function isOwnRequest({ headers, rawHeaders }: IncomingMessage): boolean {
  const { host, origin } = headers
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts > 1 || (host !== undefined && !loopback.test(host))) return false
  return origin === undefined || (host !== undefined && origin === `http://${host}`)
}
