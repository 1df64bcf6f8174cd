/** What the runner needs of a connection: its own transaction control and several statements at once. */
export interface MigrationConnection {
  exec(statements: string): Promise<void>
  query<Row>(statement: string, parameters?: unknown[]): Promise<Row[]>
}
