import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, type QueryResult } from 'kysely'

/** The end user to whom statements are restricted. */
export interface SubjectScope {
  subject: string
  /** Whether shared patterns, those that belong to no end user, may be read too. */
  readsShared: boolean
}

/**
 * A dialect that restricts all statements to one end user. Each transaction first sets the end user's name, by which row level
 * security hides everything of others, whatever the statements are. A statement outside a transaction gets one of its own.
 */
export class SubjectDialect implements Dialect {
  readonly #base: Dialect
  readonly #scope: SubjectScope

  constructor(base: Dialect, scope: SubjectScope) {
    this.#base = base
    this.#scope = scope
  }

  createAdapter() {
    return this.#base.createAdapter()
  }

  createDriver(): Driver {
    return new SubjectDriver(this.#base.createDriver(), this.#scope)
  }

  createIntrospector(...[db]: Parameters<Dialect['createIntrospector']>) {
    return this.#base.createIntrospector(db)
  }

  createQueryCompiler() {
    return this.#base.createQueryCompiler()
  }
}

class SubjectDriver implements Driver {
  readonly #base: Driver
  /** Sets the end user for the current transaction. */
  readonly #naming: CompiledQuery

  constructor(base: Driver, { subject, readsShared }: SubjectScope) {
    this.#base = base
    this.#naming = CompiledQuery.raw(
      "select set_config('app.subject', $1, true), set_config('app.subject_shared', $2, true)",
      [subject, readsShared ? 'on' : ''],
    )
  }

  init() {
    return this.#base.init()
  }

  async acquireConnection() {
    return new SubjectConnection(await this.#base.acquireConnection(), (connection, work) =>
      this.#inTransaction(connection, work),
    )
  }

  async beginTransaction(connection: SubjectConnection, settings: Parameters<Driver['beginTransaction']>[1]) {
    await this.#base.beginTransaction(connection.base, settings)
    connection.isInTransaction = true
    await connection.base.executeQuery(this.#naming)
  }

  async commitTransaction(connection: SubjectConnection) {
    connection.isInTransaction = false
    await this.#base.commitTransaction(connection.base)
  }

  async rollbackTransaction(connection: SubjectConnection) {
    connection.isInTransaction = false
    await this.#base.rollbackTransaction(connection.base)
  }

  releaseConnection(connection: SubjectConnection) {
    return this.#base.releaseConnection(connection.base)
  }

  /** Does nothing: the base driver belongs to somebody else, who ends it. */
  async destroy() {}

  async #inTransaction<T>(base: DatabaseConnection, work: () => Promise<T>): Promise<T> {
    await this.#base.beginTransaction(base, {})
    try {
      await base.executeQuery(this.#naming)
      const result = await work()
      await this.#base.commitTransaction(base)
      return result
    } catch (error) {
      await this.#base.rollbackTransaction(base)
      throw error
    }
  }
}

type InTransaction = <T>(base: DatabaseConnection, work: () => Promise<T>) => Promise<T>

class SubjectConnection implements DatabaseConnection {
  readonly base: DatabaseConnection
  isInTransaction = false
  readonly #inTransaction: InTransaction

  constructor(base: DatabaseConnection, inTransaction: InTransaction) {
    this.base = base
    this.#inTransaction = inTransaction
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const run = () => this.base.executeQuery<Row>(query)
    return this.isInTransaction ? run() : this.#inTransaction(this.base, run)
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator, and no statement here needs a cursor
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Statements of an end user are not streamed.')
  }
}
