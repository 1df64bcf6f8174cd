import { connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a server that a test can slow down, cut, freeze and mend. */
export interface TcpProxy {
  port: number
  /** Messages that were taken and not passed on. */
  readonly swallowed: number
  /** Passes everything on that much later, until it is mended. */
  slow(ms: number): void
  /** Breaks every connection and refuses new ones. */
  cut(): void
  /** Takes connections and passes nothing on, as a machine that has lost power. */
  freeze(): void
  /** Passes nothing on of the connections that there are, as a machine between that has forgotten them. */
  lose(): void
  mend(): Promise<void>
  close(): void
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let server: Server
  let frozen = false
  let swallowed = 0
  let delayMs = 0
  const sockets = new Set<Socket>()
  /** By those who opened them. */
  const inwards = new Set<Socket>()
  let lost: ReadonlySet<Socket> = new Set()
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      server = createServer((inward) => {
        const outward = connect(target)
        inwards.add(inward)
        inward.on('close', () => inwards.delete(inward))
        for (const [from, to] of [
          [inward, outward],
          [outward, inward],
        ] as const) {
          sockets.add(from)
          from.on('data', (data) => {
            if (frozen || lost.has(inward)) swallowed++
            else if (delayMs === 0) to.write(data)
            else setTimeout(() => to.write(data), delayMs)
          })
          from.on('error', () => to.destroy())
          from.on('close', () => {
            sockets.delete(from)
            to.destroy()
          })
        }
      }).listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
    })
  const breakAll = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const port = await listen(0)
  const stop = () => {
    server.close()
    breakAll()
  }
  return {
    port,
    get swallowed() {
      return swallowed
    },
    slow: (ms) => {
      delayMs = ms
    },
    cut: stop,
    freeze: () => {
      frozen = true
    },
    lose: () => {
      lost = new Set(inwards)
    },
    mend: async () => {
      frozen = false
      lost = new Set()
      delayMs = 0
      breakAll()
      if (!server.listening) await listen(port)
    },
    close: stop,
  }
}
