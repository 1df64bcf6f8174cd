import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { spending } from '../asker.ts'

/** What is used of node-postgres' connections. */
interface Client {
  query(statement: Statement): Promise<unknown>
  /** `I` outside a transaction. */
  getTransactionStatus(): string | null
  release(destroy?: boolean): void
}

/** Unprepared without a name. */
interface Statement {
  name?: string
  text: string
  values: unknown[]
}

/** What is used of node-postgres' pool. */
interface Pool {
  readonly options: object
  connect(): Promise<Client>
  end(): Promise<void>
}

/** Beyond this many, statements are run without being prepared: the text of a healthy application's is fixed. */
const preparedMax = 500

/** PostgreSQL: a statement's columns have changed since it was prepared, or it is not there any more. */
const outdatedCodes = new Set(['0A000', '26000'])

/** Commands after which the server knows no prepared statement of the connection. */
const forgetsStatements = /^\s*(?:discard|deallocate)\b/i

/**
 * A pool whose connections parse and plan each statement once: that is half of the server's time for authentication
 * (130 against 66 µs). A migration that another process runs may outdate what a connection has prepared; then the
 * statement is run unprepared, and the connection is closed when it is given back. So is one that nobody can be sure of:
 * a statement got no answer from the server, or a transaction is still open, in which the next request would work.
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
  #isSpent = false

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
      // What has no parameters, such as BEGIN, takes one message to the server as it is.
      if (forgetsStatements.test(text)) this.#isSpent = true
      return this.#send({ text, values })
    }
    const name = this.#isSpent ? undefined : this.#nameOf(text)
    if (name === undefined) return this.#send({ text, values })
    try {
      return await this.#send({ name, text, values })
    } catch (error) {
      if (!outdatedCodes.has((error as { code?: string }).code ?? '')) throw error
      this.#isSpent = true
      // Found out before the statement does anything, so it may be sent again; a transaction has failed with it.
      if (this.#client.getTransactionStatus() !== 'I') throw error
      return this.#send({ text, values })
    }
  }

  async #send<Row>(statement: Statement): Promise<PostgresQueryResult<Row>> {
    try {
      return (await spending('database', () => this.#client.query(statement))) as PostgresQueryResult<Row>
    } catch (error) {
      if (!isServersAnswer(error)) this.#isSpent = true
      throw error
    }
  }

  release(destroy?: boolean): void {
    const isInTransaction = this.#client.getTransactionStatus() !== 'I'
    this.#client.release(destroy || this.#isSpent || isInTransaction)
  }
}

/** The server's own errors say how severe they are; what the driver throws does not. */
function isServersAnswer(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'severity' in error && error.severity !== undefined
}
