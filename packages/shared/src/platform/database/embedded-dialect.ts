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
 * A Kysely dialect for the embedded database, which has a single session. Kysely's own PGlite dialect shares one connection
 * object, so a query of one request could run inside the open transaction of another, as that one's tenant. Here each
 * acquired connection is an object of its own, and a query outside a transaction waits until the open one has ended.
 */
export class EmbeddedDialect implements Dialect {
  readonly #statements: EmbeddedStatements
  readonly #lowPriority: LowPriorityQueue | undefined

  /**
   * @param statements runs statements in the database's one session
   * @param lowPriority the queue in which connections wait first; undefined: they don't
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

/**
 * Allows several connections at a time. Kysely's own adapter for PGlite allows one, and would keep it occupied until a commit
 * is on the disk.
 */
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
  /** Ends this connection's turn in the low-priority queue. */
  readonly leave: (() => void) | undefined
  /** Gives the session back, so that the next transaction can begin. */
  #leaveSession: Leave | undefined
  /** Ends the open transaction; undefined when none is open. */
  #end: EndTransaction | undefined
  /** Whether the last statement failed. The transaction is then aborted, unless it was rolled back to a savepoint since. */
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

  /** @throws when the transaction to commit is aborted: PostgreSQL would silently roll it back at COMMIT */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    const aborted = how === 'commit' && this.#lastFailed ? await this.#abortedBy() : undefined
    let ended: Awaited<ReturnType<EndTransaction>> | undefined
    try {
      ended = await this.#end?.(aborted === undefined ? how : 'rollback')
    } finally {
      this.#end = undefined
      this.#leaveSession?.()
    }
    // The session is free already: others go on while this commit reaches the disk.
    await ended?.durable
    if (aborted !== undefined)
      throw new Error('The transaction had failed and is rolled back.', { cause: aborted })
  }

  /** Tests whether the transaction is aborted, in which every statement fails. @returns that error, or undefined */
  async #abortedBy(): Promise<unknown> {
    return this.#statements.run('select 1', [], true).then(
      () => undefined,
      (error: unknown) => error,
    )
  }
}
