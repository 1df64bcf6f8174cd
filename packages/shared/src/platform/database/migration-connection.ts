/** A plain connection, as migrations need it: it runs several statements at once, and transactions by plain SQL. */
export interface MigrationConnection {
  exec(statements: string): Promise<void>
  query<Row>(statement: string, parameters?: unknown[]): Promise<Row[]>
}
