import type { Outcome } from './balancer.ts'

/** What is counted of the requests while one kind of fault lasts. */
export interface Window {
  /** Times that the fault came. */
  times: number
  requests: number
  /** Answers of 500 and above. */
  serverErrors: number
  unanswered: number
  /** Milliseconds that the slowest of the `serverErrors` took, counted from the fault where the request was sent before it. */
  slowestErrorMs: number
}

/** Counts requests by the fault during which they were answered. */
export class Tally {
  /** Writes that were answered with success. */
  acknowledged = 0
  /** Writes of which nobody knew whether they were done. */
  ambiguous = 0
  /** Answers that no fault explains, one sentence each. */
  readonly wrong: string[] = []
  readonly windows = new Map<string, Window>()
  #fault = 'none'
  #faultAt = 0

  /** Requests that were answered with 500 or above, or not at all. */
  get faulty(): number {
    return [...this.windows.values()].reduce((sum, each) => sum + each.serverErrors + each.unanswered, 0)
  }

  /** The fault that requests are counted under from now on. */
  set fault(name: string) {
    this.#fault = name
    this.#faultAt = performance.now()
    this.#window().times++
  }

  /** @param ms that it took */
  count(outcome: Outcome, ms: number): void {
    const window = this.#window()
    window.requests++
    if (outcome.kind === 'unanswered') window.unanswered++
    else if (outcome.status >= 500) {
      window.serverErrors++
      window.slowestErrorMs = Math.max(window.slowestErrorMs, Math.min(ms, performance.now() - this.#faultAt))
    }
  }

  #window(): Window {
    const window = this.windows.get(this.#fault) ?? {
      times: 0,
      requests: 0,
      serverErrors: 0,
      unanswered: 0,
      slowestErrorMs: 0,
    }
    this.windows.set(this.#fault, window)
    return window
  }
}
