import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Ended, inUse, sharedMs, type Use, type Used } from './credential-load.ts'

/** What can be ended in the middle of its use. */
export interface Credentials {
  headers: Record<string, string>
  /** Ends it by the process at this address; resolves when it has, by its 2xx. */
  end(url: string): Promise<void>
}

/** Whom an operation asks for, and nothing else: it does no work of its own. */
const path = '/v1/memory/acceleration/status'

/**
 * Uses credentials at several processes of the service at once, from a process of its own: a client in the process that
 * starts and ends them would take turns with it, and what it costs would be the service's on a small machine.
 */
export class CredentialUse {
  readonly #child: ChildProcess
  readonly #urls: readonly string[]

  constructor(urls: readonly string[]) {
    this.#urls = urls
    this.#child = fork(new URL('credential-load.ts', import.meta.url))
  }

  /**
   * Ends credentials after some hundred requests with them have been accepted, and goes on until as many were answered
   * that began later.
   * @param turn which process is asked to end them
   */
  async endInUse(credentials: Credentials, turn: number): Promise<Used> {
    const { headers, end } = credentials
    const ports = this.#urls.map((url) => Number(new URL(url).port))
    const use: Use = { headers, path, ports, connections: 24, acceptedFirst: 300, answeredAfter: 300 }
    await this.#ask(use, inUse)
    await end(this.#urls[turn % this.#urls.length] as string)
    return this.#ask<Used>({ endedMs: sharedMs() })
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }

  /** @throws when the process ends instead of answering */
  async #ask<Answer>(question: Use | Ended, expected?: string): Promise<Answer> {
    const abort = new AbortController()
    const { signal } = abort
    const ended = once(this.#child, 'exit', { signal })
    const answer = once(this.#child, 'message', { signal })
    this.#child.send(question)
    try {
      const [message] = await Promise.race([
        answer,
        ended.then(() => {
          throw new Error('The requests ended: see standard error')
        }),
      ])
      if (expected !== undefined && message !== expected) throw new Error(`Unexpected: ${message}`)
      return message as Answer
    } finally {
      abort.abort()
      await Promise.allSettled([ended, answer])
    }
  }
}
