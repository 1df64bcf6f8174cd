import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError } from './config.ts'

/**
 * Starts to listen.
 * @param setting the variable that chooses the port, for the message
 * @throws ConfigError when the address or port is not available
 */
export function listen(server: Server, port: number, host: string, setting: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port, host, setting)))
    server.listen(port, host, () => resolve(server))
  })
}

/** Where to listen, and which variable chooses the port. */
export interface Listening {
  port: number
  host: string
  setting: string
}

/**
 * Checks, before a start changes anything, that `listen` will succeed for all of these. All ports are opened at the same time, so
 * that two equal ones are noticed, and then closed again.
 * @throws ConfigError as `listen`
 */
export async function requirePorts(all: readonly Listening[]): Promise<void> {
  const taken: Server[] = []
  try {
    for (const [at, { port, host, setting }] of all.entries()) {
      const same = all.slice(0, at).find((earlier) => isSamePlace(earlier, { port, host }))
      if (same !== undefined) {
        throw new ConfigError(
          `${same.setting} and ${setting} are both ${port}: set ${setting} to another port.`,
        )
      }
      taken.push(await listen(createServer(), port, host, setting))
    }
  } finally {
    await Promise.all(taken.map((server) => new Promise((done) => server.close(done))))
  }
}

/** Whether two servers can't both listen, here and there. Port 0 never conflicts: it stands for any free port. */
function isSamePlace(one: Omit<Listening, 'setting'>, other: Omit<Listening, 'setting'>): boolean {
  const isEvery = [one.host, other.host].some((host) => host === '0.0.0.0' || host === '::')
  return one.port === other.port && one.port !== 0 && (one.host === other.host || isEvery)
}

export function addressOf(server: Server): { host: string; port: number } {
  const { address, port, family } = server.address() as AddressInfo
  return { host: family === 'IPv6' ? `[${address}]` : address, port }
}

/**
 * The address at which programs on this machine reach a server that listens on `host`: loopback for 0.0.0.0 and `::`, which
 * stand for all addresses and can't be connected to. An IPv6 address gets brackets.
 */
export function reachable(host: string): string {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return address.includes(':') ? `[${address}]` : address
}

/** The event that `drain` emits on a server when the time is over, so that it can still send final answers at once. */
export const drainEnds = 'drainEnds'
/** Clients have this long to receive those final answers. */
const farewellMs = 1_000

/**
 * Closes a server: it takes no new connections, and closes each open one when its request is answered. After `withinMs` those
 * left get a final answer (see `drainEnds`) and are closed.
 */
export async function drain(server: Server, withinMs: number): Promise<void> {
  const close = () => server.closeAllConnections()
  let force = setTimeout(() => {
    if (server.emit(drainEnds)) force = setTimeout(close, farewellMs)
    else close()
  }, withinMs)
  // A connection that was in use when the server closed would stay open for further requests after its answer.
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
