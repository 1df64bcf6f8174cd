import type { IncomingMessage } from 'node:http'

const thisMachine = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i
/** An address of this machine in IPv4, as one that listens on both writes it. */
const mapped = /^::ffff:(?=\d+\.)/
/** An IP address, or a name without a dot: no site has one. */
const withinNetwork = /^(?:\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\]|[a-z\d_-]+)(?::\d+)?$/i

/**
 * Whether a request was meant for this listener by whoever sent it: a browser sends one for any site it shows, by a name
 * that leads here (DNS rebinding) or across origins. Without a Host, as programs of HTTP/1.0 ask, it is from no browser.
 * At an address of a network it may name that, too.
 */
export function isOwnRequest(req: IncomingMessage): boolean {
  const { host, origin } = req.headers
  return isOwnHost(req) && (origin === undefined || (host !== undefined && origin === `http://${host}`))
}

/** Whether the one `Host` of a request is no name that anybody else could have made to lead here. */
export function isOwnHost({ headers: { host }, rawHeaders, socket }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length
  const { localAddress = '' } = socket
  const names = isLoopback(localAddress) ? thisMachine : withinNetwork
  return hosts <= 1 && (host === undefined || names.test(host) || isAddress(host, localAddress))
}

/** Whether a Host is the very address that was reached, such as 127.0.0.2. */
function isAddress(host: string, localAddress: string): boolean {
  return host.replace(/:\d+$/, '') === localAddress.replace(mapped, '')
}

/** Whether the request comes from a program of this machine, by the addresses of its connection. */
export function isFromThisMachine({ socket }: IncomingMessage): boolean {
  return isLoopback(socket.localAddress) || socket.remoteAddress === socket.localAddress
}

function isLoopback(address = ''): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address)
}
