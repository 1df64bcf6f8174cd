import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { spending } from '../asker.ts'

/** The parts of node-postgres' connections that are used here. */
interface Client {
  query(statement: Statement): Promise<unknown>
  /** `I` outside a transaction. */
  getTransactionStatus(): string | null
  release(destroy?: boolean): void
}

/** A statement; without a name it is not prepared. */
interface Statement {
  name?: string
  text: string
  values: unknown[]
  /** Overrides after how many ms the driver gives the connection up. */
  query_timeout?: number
}

/** The parts of node-postgres' pool that are used here. */
interface Pool {
  readonly options: object
  connect(): Promise<Client>
  end(): Promise<void>
}

/** The most prepared statements. Only statements with generated texts could exceed it; those are then run unprepared. */
const preparedMax = 500

/** PostgreSQL's codes for a prepared statement whose columns have changed, and for one that does not exist any more. */
const outdatedCodes = new Set(['0A000', '26000'])

/** Commands that make the server forget the prepared statements of a connection. */
const forgetsStatements = /^\s*(?:discard|deallocate)\b/i

/** Gives the statements of a transaction another time limit, in ms. */
const setsLimit = /^\s*set local statement_timeout = (\d+)$/i
/** By how much the driver waits longer than the server lets a statement take. */
const graceMs = 1_000

/**
 * A pool whose connections prepare each statement once, which halves the server's time for authentication (66 instead of
 * 130 µs).
 *
 * When a migration by another process has outdated a prepared statement, the statement is run unprepared, and the connection
 * is closed when it is released. A connection is also closed then when its state is uncertain: when a statement got no answer
 * from the server, or a transaction is still open, in which the next request would otherwise run.
 */
export class PreparingPool implements PostgresPool {
  readonly options: object
  readonly #pool: Pool
  readonly #names = new Map<string, string>()
  readonly #clients = new WeakMap<Client, PreparingClient>()

  constructor(pool: Pool) {
    this.#pool = pool
    this.options = pool.options
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect()
    let preparing = this.#clients.get(client)
    if (preparing === undefined) {
      preparing = new PreparingClient(client, (text) => this.#nameOf(text))
      this.#clients.set(client, preparing)
    }
    return preparing
  }

  end(): Promise<void> {
    return this.#pool.end()
  }

  #nameOf(text: string): string | undefined {
    let name = this.#names.get(text)
    if (name === undefined && this.#names.size < preparedMax) {
      name = `s${this.#names.size}`
      this.#names.set(text, name)
    }
    return name
  }
}

class PreparingClient implements PostgresPoolClient {
  readonly #client: Client
  readonly #nameOf: (text: string) => string | undefined
  /** Whether the connection must be closed when it is released. */
  #isSpent = false
  /** What the driver's limit is in the transaction of now, where it is another than usual. */
  #limitMs: number | undefined

  constructor(client: Client, nameOf: (text: string) => string | undefined) {
    this.#client = client
    this.#nameOf = nameOf
  }

  query<Row>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>
  query<Row>(statement: string | PostgresCursor<Row>, parameters: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') throw new Error('Connections of this pool have no cursors.')
    return this.#run<Row>(statement, parameters)
  }

  async #run<Row>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    const values = [...parameters]
    if (values.length === 0) {
      // A statement without parameters, such as BEGIN, takes a single message anyway.
      if (forgetsStatements.test(text)) this.#isSpent = true
      const [, limitMs] = setsLimit.exec(text) ?? []
      if (limitMs !== undefined) this.#limitMs = Number(limitMs) + graceMs
      return this.#send({ text, values })
    }
    const name = this.#isSpent ? undefined : this.#nameOf(text)
    if (name === undefined) return this.#send({ text, values })
    try {
      return await this.#send({ name, text, values })
    } catch (error) {
      if (!outdatedCodes.has((error as { code?: string }).code ?? '')) throw error
      this.#isSpent = true
      // The statement has not done anything yet, so it can be sent again; but not in a transaction, which is aborted now.
      if (this.#client.getTransactionStatus() !== 'I') throw error
      return this.#send({ text, values })
    }
  }

  async #send<Row>(given: Statement): Promise<PostgresQueryResult<Row>> {
    const statement = this.#limitMs === undefined ? given : { ...given, query_timeout: this.#limitMs }
    try {
      return (await spending('database', () => this.#client.query(statement))) as PostgresQueryResult<Row>
    } catch (error) {
      if (!isServersAnswer(error)) this.#isSpent = true
      throw error
    }
  }

  release(destroy?: boolean): void {
    this.#limitMs = undefined
    const isInTransaction = this.#client.getTransactionStatus() !== 'I'
    this.#client.release(destroy || this.#isSpent || isInTransaction)
  }
}

/** Whether an error came from the server: those have a severity, errors of the driver do not. */
function isServersAnswer(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'severity' in error && error.severity !== undefined
}
