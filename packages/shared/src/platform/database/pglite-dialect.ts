import type { PGlite, Transaction } from '@electric-sql/pglite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PGliteAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { EmbeddedStatements } from './pglite-statements.ts'

/**
 * Kysely over an embedded database that has one session. Kysely's own PGlite dialect hands one connection object to
 * everybody, so a query of another request would run inside whatever transaction is open, with its tenant. Here each
 * acquisition is an object of its own, and a query outside a transaction waits for the open one to end.
 */
export class EmbeddedDialect implements Dialect {
  readonly #database: PGlite
  readonly #statements: EmbeddedStatements

  /** @param statements of this database's one session */
  constructor(database: PGlite, statements: EmbeddedStatements) {
    this.#database = database
    this.#statements = statements
  }

  createAdapter() {
    return new PGliteAdapter()
  }

  createDriver(): Driver {
    return new EmbeddedDriver(this.#database, this.#statements)
  }

  createIntrospector(...[db]: Parameters<Dialect['createIntrospector']>) {
    return new PostgresIntrospector(db)
  }

  createQueryCompiler() {
    return new PostgresQueryCompiler()
  }
}

class EmbeddedDriver implements Driver {
  readonly #database: PGlite
  readonly #statements: EmbeddedStatements

  constructor(database: PGlite, statements: EmbeddedStatements) {
    this.#database = database
    this.#statements = statements
  }

  async init() {
    await this.#database.waitReady
  }

  async acquireConnection() {
    return new EmbeddedConnection(this.#database, this.#statements)
  }

  async beginTransaction(connection: EmbeddedConnection) {
    await connection.begin()
  }

  async commitTransaction(connection: EmbeddedConnection) {
    await connection.end('commit')
  }

  async rollbackTransaction(connection: EmbeddedConnection) {
    await connection.end('rollback')
  }

  async releaseConnection() {}

  async destroy() {
    if (!this.#database.closed) await this.#database.close()
  }
}

class EmbeddedConnection implements DatabaseConnection {
  readonly #database: PGlite
  readonly #statements: EmbeddedStatements
  #transaction: Transaction | undefined
  #finish: ((how: 'commit' | 'rollback') => void) | undefined
  #ended: Promise<void> | undefined

  constructor(database: PGlite, statements: EmbeddedStatements) {
    this.#database = database
    this.#statements = statements
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql, parameters } = query
    const { rows, affectedRows } = await this.#statements.run<Row>(sql, parameters, this.#transaction)
    return affectedRows === undefined ? { rows } : { rows, numAffectedRows: BigInt(affectedRows) }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator and the database has no cursors
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The embedded database does not stream results.')
  }

  async begin(): Promise<void> {
    const begun = Promise.withResolvers<void>()
    const finished = Promise.withResolvers<'commit' | 'rollback'>()
    this.#finish = finished.resolve
    this.#ended = this.#database.transaction(async (transaction) => {
      this.#transaction = transaction
      begun.resolve()
      if ((await finished.promise) === 'rollback') await transaction.rollback()
    })
    this.#ended.catch(begun.reject)
    await begun.promise
  }

  /** @throws when a transaction that is to be committed had failed: its COMMIT would be a silent rollback. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    const aborted = how === 'commit' ? await this.#abortedBy() : undefined
    this.#finish?.(aborted === undefined ? how : 'rollback')
    try {
      await this.#ended
    } finally {
      this.#transaction = undefined
    }
    if (aborted !== undefined)
      throw new Error('The transaction had failed and is rolled back.', { cause: aborted })
  }

  /** In a failed transaction every statement fails. */
  async #abortedBy(): Promise<unknown> {
    return this.#statements.run('select 1', [], this.#transaction).then(
      () => undefined,
      (error: unknown) => error,
    )
  }
}
