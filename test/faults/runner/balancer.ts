import { setTimeout } from 'node:timers/promises'

/** What came of a request. */
export type Outcome =
  | { kind: 'answered'; status: number; body: Record<string, unknown>; retryAfter: string | null }
  /** The connection broke before the answer: nobody knows whether it was done. */
  | { kind: 'unanswered'; why: string }

export interface Sent {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/** How often each instance is asked whether it is ready. */
const readinessEveryMs = 200
/** An instance that refuses connections is asked again this often. */
const retryMs = 50
/** No instance is down for longer in these tests, however busy the machine is. */
const patienceMs = 120_000

/**
 * Spreads requests over instances as a load balancer does: over those that are ready, or over all when none is. One that
 * refuses the connection has not got the request, so another gets it. Anything else that breaks is told to the client.
 */
export class Balancer {
  readonly #urls: readonly string[]
  readonly #ready: Set<string>
  readonly #closed = new AbortController()
  readonly #watching: Promise<unknown>
  #next = 0

  constructor(urls: readonly string[]) {
    this.#urls = urls
    this.#ready = new Set(urls)
    this.#watching = Promise.all(urls.map((url) => this.#watch(url)))
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#watching
  }

  /** @param patience ms until a request that nobody takes is given up */
  async send({ method, path, body, headers }: Sent, patience = patienceMs): Promise<Outcome> {
    const deadline = Date.now() + patience
    for (let attempt = 1; ; attempt++) {
      const ready = this.#urls.filter((each) => this.#ready.has(each))
      const from = ready.length === 0 ? this.#urls : ready
      const url = from[this.#next++ % from.length]
      try {
        const response = await fetch(url + path, {
          method,
          headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const text = await response.text()
        return {
          kind: 'answered',
          status: response.status,
          body: text === '' ? {} : JSON.parse(text),
          retryAfter: response.headers.get('retry-after'),
        }
      } catch (error) {
        const why = codeOf(error)
        if (why !== 'ECONNREFUSED' || Date.now() > deadline) return { kind: 'unanswered', why }
        if (attempt % this.#urls.length === 0) await setTimeout(retryMs)
      }
    }
  }

  async #watch(url: string): Promise<void> {
    const { signal } = this.#closed
    while (!signal.aborted) {
      const response = await fetch(`${url}/readyz`, { signal }).catch(() => undefined)
      await response?.arrayBuffer().catch(() => undefined)
      if (response?.ok) this.#ready.add(url)
      else this.#ready.delete(url)
      await setTimeout(readinessEveryMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

function codeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}
