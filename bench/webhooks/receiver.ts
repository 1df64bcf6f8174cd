import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const waitMs = 120_000

/** How a receiver answers a request, or leaves it open. */
export type Behaviour = (response: ServerResponse) => void

/** A receiver of webhooks on this machine, which notes when requests arrive. */
export class Receiver {
  /** When each arrived on the clock of `performance.now`, in their order. */
  readonly arrivals: { path: string; at: number }[] = []
  readonly #server: Server
  #waiting: { count: number; resolve: () => void } | undefined

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(behave: Behaviour): Promise<Receiver> {
    const server = createServer((request, response) => {
      receiver.#note(request.url ?? '')
      request.resume()
      request.on('end', () => behave(response))
    })
    const receiver = new Receiver(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Waits until so many requests have arrived in all. @throws after two minutes */
  async untilArrived(count: number): Promise<void> {
    if (this.arrivals.length >= count) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve, reject) => {
      this.#waiting = { count, resolve }
      timer = setTimeout(
        () => reject(new Error(`${this.arrivals.length} of ${count} requests arrived in ${waitMs / 1000} s`)),
        waitMs,
      )
    })
    clearTimeout(timer)
  }

  /** Begins anew to count. */
  forget(): void {
    this.arrivals.length = 0
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  #note(path: string): void {
    this.arrivals.push({ path, at: performance.now() })
    if (this.#waiting === undefined || this.arrivals.length < this.#waiting.count) return
    this.#waiting.resolve()
    this.#waiting = undefined
  }
}
