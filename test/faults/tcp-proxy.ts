import { connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a server that a test can cut, freeze and mend. */
export interface TcpProxy {
  port: number
  /** Messages that were taken and not passed on. */
  readonly swallowed: number
  /** Breaks every connection and refuses new ones. */
  cut(): void
  /** Takes connections and passes nothing on, as a machine that has lost power. */
  freeze(): void
  mend(): Promise<void>
  close(): void
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let server: Server
  let frozen = false
  let swallowed = 0
  const sockets = new Set<Socket>()
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      server = createServer((inward) => {
        const outward = connect(target)
        for (const [from, to] of [
          [inward, outward],
          [outward, inward],
        ] as const) {
          sockets.add(from)
          from.on('data', (data) => {
            if (frozen) swallowed++
            else to.write(data)
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
    cut: stop,
    freeze: () => {
      frozen = true
    },
    mend: async () => {
      frozen = false
      breakAll()
      if (!server.listening) await listen(port)
    },
    close: stop,
  }
}
