import type { IncomingMessage } from 'node:http'

const thisMachine = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i
/** The prefix of an IPv4 address on a socket that listens on both IPv4 and IPv6. */
const mapped = /^::ffff:(?=\d+\.)/
/** An IP address, or a name without a dot, which no public site has. */
const withinNetwork = /^(?:\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\]|[a-z\d_-]+)(?::\d+)?$/i

/**
 * Whether a request was really meant for this listener. Any site in a browser can send requests here, across origins or under a
 * host name that was made to resolve to this machine (DNS rebinding); those are refused. A request without a Host (HTTP/1.0) is
 * from no browser. On an address of a network, names within that network are accepted too.
 */
export function isOwnRequest(req: IncomingMessage): boolean {
  const { host, origin } = req.headers
  return isOwnHost(req) && (origin === undefined || (host !== undefined && origin === `http://${host}`))
}

/** Whether a request has exactly one `Host`, and one that nobody else could have made to resolve to this machine. */
export function isOwnHost({ headers: { host }, rawHeaders, socket }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length
  const { localAddress = '' } = socket
  const names = isLoopback(localAddress) ? thisMachine : withinNetwork
  return hosts <= 1 && (host === undefined || names.test(host) || isAddress(host, localAddress))
}

/** Whether a Host is the address on which the request arrived, such as 127.0.0.2. */
function isAddress(host: string, localAddress: string): boolean {
  return host.replace(/:\d+$/, '') === localAddress.replace(mapped, '')
}

/** Whether a request comes from this machine, judging by the addresses of its connection. */
export function isFromThisMachine({ socket }: IncomingMessage): boolean {
  return isLoopback(socket.localAddress) || socket.remoteAddress === socket.localAddress
}

function isLoopback(address = ''): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address)
}
