import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { isDatabaseUnavailable } from './unavailable.ts'

/** After this time a database that was unavailable is tried again. */
const retryMs = 500

/** A result in node-postgres' form. */
export interface QueueResult {
  rows: Record<string, unknown>[]
  rowCount: number
}

/** What the job queue needs of a database: statements one at a time, and the notifications of a channel. */
export interface QueueSource {
  query(text: string, parameters: readonly unknown[]): Promise<QueueResult>
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  /** Does the work, unless other work under the same name is running somewhere on this database. */
  alone(name: string, work: () => Promise<void>): Promise<void>
  end(): Promise<void>
}

/**
 * A pool with node-postgres' interface, for the job queue's library. With an embedded database it uses the one session, where
 * no real pool is possible. With PostgreSQL all its clients share one connection for notifications, which reconnects by
 * itself. There are no transactions: each statement of the library is one by itself.
 */
export class QueuePool extends EventEmitter {
  readonly #source: QueueSource
  readonly #channels = new Map<string, Promise<() => Promise<void>>>()
  readonly #listeners = new EventEmitter().setMaxListeners(0)
  #hasEnded = false

  constructor(source: QueueSource) {
    super()
    this.#source = source
    // Each queue and worker of a process adds listeners: more than Node's default limit is no leak here.
    this.setMaxListeners(0)
  }

  // The library names its own row types, as it does with node-postgres.
  // biome-ignore lint/suspicious/noExplicitAny: the type parameter's default has to be the library's
  query<Row = any>(
    text: string,
    parameters: readonly unknown[] = [],
  ): Promise<{ rows: Row[]; rowCount: number }> {
    return this.#source.query(text, parameters) as Promise<{ rows: Row[]; rowCount: number }>
  }

  async connect(): Promise<QueueClient> {
    return new QueueClient(this, this.#listeners)
  }

  /** Listens to a channel; only once, however many clients ask for it. */
  async listen(channel: string): Promise<void> {
    let listening = this.#channels.get(channel)
    if (listening === undefined) {
      listening = this.#source.listen(channel, (payload) =>
        this.#listeners.emit('notification', { channel, payload }),
      )
      this.#channels.set(channel, listening)
    }
    try {
      await listening
    } catch (error) {
      this.#channels.delete(channel)
      throw error
    }
  }

  /** Does the work (with statements of this pool), unless another process is doing work under the same name. */
  alone(name: string, work: () => Promise<void>): Promise<void> {
    return this.#source.alone(name, work)
  }

  /** Like `query`, but waits while the database is unavailable, for as long as it takes. */
  async queryOnceThere<Row>(
    text: string,
    parameters: readonly unknown[],
  ): Promise<{ rows: Row[]; rowCount: number }> {
    for (;;) {
      try {
        return await this.query<Row>(text, parameters)
      } catch (error) {
        if (this.#hasEnded || !isDatabaseUnavailable(error)) throw error
        await setTimeout(retryMs, undefined, { ref: false })
      }
    }
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    const listening = await Promise.allSettled(this.#channels.values())
    this.#channels.clear()
    for (const each of listening) if (each.status === 'fulfilled') await each.value()
    await this.#source.end()
  }
}

const listenStatement = /^listen\s+"?(\w+)"?\s*;?$/i
const transactionStatement = /^(begin|start\s+transaction|commit|end|rollback)\b/i

/** A client of the pool. It has no session of its own; notifications come by way of the pool. */
class QueueClient extends EventEmitter {
  readonly #pool: QueuePool
  readonly #listeners: EventEmitter
  readonly #forward = (message: unknown) => this.emit('notification', message)

  constructor(pool: QueuePool, listeners: EventEmitter) {
    super()
    this.#pool = pool
    this.#listeners = listeners
    listeners.on('notification', this.#forward)
  }

  // biome-ignore lint/suspicious/noExplicitAny: the type parameter's default has to be the library's
  async query<Row = any>(
    text: string,
    parameters: readonly unknown[] = [],
  ): Promise<{ rows: Row[]; rowCount: number }> {
    const statement = text.replaceAll(/^\s*--.*$/gm, '').trim()
    const [, channel] = listenStatement.exec(statement) ?? []
    if (channel !== undefined) {
      await this.#pool.listen(channel)
      return { rows: [], rowCount: 0 }
    }
    // A transaction could begin in one session and end in another.
    if (transactionStatement.test(statement)) throw new Error('The job queue has no transactions here.')
    // Retries while the database is unavailable: the library asks once whether its schema exists and keeps the answer for ever,
    // even a failure.
    return this.#pool.queryOnceThere<Row>(text, parameters)
  }

  release(): void {
    this.#listeners.off('notification', this.#forward)
  }
}
