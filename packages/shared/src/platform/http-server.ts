import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError } from './config.ts'

/**
 * Starts to listen.
 * @param setting the variable that chooses the port, for the message
 * @throws ConfigError when the address or port can't be had
 */
export function listen(server: Server, port: number, host: string, setting: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port, host, setting)))
    server.listen(port, host, () => resolve(server))
  })
}

export function addressOf(server: Server): { host: string; port: number } {
  const { address, port, family } = server.address() as AddressInfo
  return { host: family === 'IPv6' ? `[${address}]` : address, port }
}

/**
 * The address at which a program of this machine reaches what listens on `host`: one that stands for all of the machine's
 * is none to ask at. An IPv6 address gets its brackets.
 */
export function reachable(host: string): string {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return address.includes(':') ? `[${address}]` : address
}

/** No new connections; those in use end with their request, or after `withinMs`. */
export async function drain(server: Server, withinMs: number): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), withinMs)
  // A connection that was in use when the server closed stays open for further requests, until someone ends it.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  await new Promise((done) => server.close(done))
  clearInterval(idle)
  clearTimeout(force)
}

function explain(error: NodeJS.ErrnoException, port: number, host: string, setting: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Port ${port} is in use: stop what listens there, or set ${setting} to another port.`,
      )
    case 'EACCES':
      return new ConfigError(
        `Port ${port} needs privileges this user lacks: set ${setting} to one above 1023.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(
        `This machine has no address ${host}: set ${setting === 'PORT' ? 'HOST' : 'OPS_HOST'} to one it has.`,
      )
    default:
      return error
  }
}
