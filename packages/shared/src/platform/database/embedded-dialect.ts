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
import { spending } from '../asker.ts'
import type { Leave } from '../fair-turns.ts'
import type { LowPriorityQueue } from '../low-priority-queue.ts'
import type { EmbeddedStatements, EndTransaction } from './embedded-statements.ts'

/**
 * Kysely over an embedded database that has one session. Kysely's own PGlite dialect hands one connection object to
 * everybody, so a query of another request would run inside whatever transaction is open, with its tenant. Here each
 * acquisition is an object of its own, and a query outside a transaction waits for the open one to end.
 */
export class EmbeddedDialect implements Dialect {
  readonly #statements: EmbeddedStatements
  readonly #lowPriority: LowPriorityQueue | undefined

  /**
   * @param statements of this database's one session
   * @param lowPriority where its queries and transactions wait; without one they go at once
   */
  constructor(statements: EmbeddedStatements, lowPriority?: LowPriorityQueue) {
    this.#statements = statements
    this.#lowPriority = lowPriority
  }

  createAdapter() {
    return new EmbeddedAdapter()
  }

  createDriver(): Driver {
    return new EmbeddedDriver(this.#statements, this.#lowPriority)
  }

  createIntrospector(...[db]: Parameters<Dialect['createIntrospector']>) {
    return new PostgresIntrospector(db)
  }

  createQueryCompiler() {
    return new PostgresQueryCompiler()
  }
}

/** Kysely's own hands out one connection at a time, in order of arrival, and keeps it until a commit is on the disk. */
class EmbeddedAdapter extends PGliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class EmbeddedDriver implements Driver {
  readonly #statements: EmbeddedStatements
  readonly #lowPriority: LowPriorityQueue | undefined

  constructor(statements: EmbeddedStatements, lowPriority: LowPriorityQueue | undefined) {
    this.#statements = statements
    this.#lowPriority = lowPriority
  }

  async init() {}

  async acquireConnection() {
    return new EmbeddedConnection(this.#statements, await this.#lowPriority?.enter())
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

  async releaseConnection(connection: EmbeddedConnection) {
    connection.leave?.()
  }

  async destroy() {}
}

class EmbeddedConnection implements DatabaseConnection {
  readonly #statements: EmbeddedStatements
  /** Lets the next one in. */
  readonly leave: (() => void) | undefined
  /** Lets the next transaction begin. */
  #leaveSession: Leave | undefined
  /** Of the transaction that is open. */
  #end: EndTransaction | undefined
  /** After a failed statement only a rollback, to a savepoint or of everything, makes another succeed. */
  #lastFailed = false

  constructor(statements: EmbeddedStatements, leave: (() => void) | undefined) {
    this.#statements = statements
    this.leave = leave
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql, parameters } = query
    const running = spending('database', () =>
      this.#statements.run<Row>(sql, parameters, this.#end !== undefined),
    )
    const { rows, affectedRows } = await running.catch((error: unknown) => {
      this.#lastFailed = true
      throw error
    })
    this.#lastFailed = false
    return affectedRows === undefined ? { rows } : { rows, numAffectedRows: BigInt(affectedRows) }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator and the database has no cursors
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The embedded database does not stream results.')
  }

  async begin(): Promise<void> {
    this.#leaveSession = await this.#statements.enter()
    this.#end = this.#statements.begin()
  }

  /** @throws when a transaction that is to be committed had failed: its COMMIT would be a silent rollback. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    const aborted = how === 'commit' && this.#lastFailed ? await this.#abortedBy() : undefined
    let ended: Awaited<ReturnType<EndTransaction>> | undefined
    try {
      ended = await this.#end?.(aborted === undefined ? how : 'rollback')
    } finally {
      this.#end = undefined
      this.#leaveSession?.()
    }
    // Others go on meanwhile.
    await ended?.durable
    if (aborted !== undefined)
      throw new Error('The transaction had failed and is rolled back.', { cause: aborted })
  }

  /** In a failed transaction every statement fails. */
  async #abortedBy(): Promise<unknown> {
    return this.#statements.run('select 1', [], true).then(
      () => undefined,
      (error: unknown) => error,
    )
  }
}
