import { backupTask, tablesWithoutPolicy } from '../database/backup-policies.ts'
import type { MigrationConnection } from '../database/migration-connection.ts'
import { withConnection } from '../database/postgres.ts'
import { BackupError } from './backup-error.ts'
import { type DatabaseFacts, ownSchemas, readFacts } from './facts.ts'
import type { PostgresPrograms } from './postgres-programs.ts'

/**
 * Dumps the service's own schemas of a PostgreSQL by `pg_dump`, while the service works. Dump and facts are of one moment.
 * @param url of a user that owns the tables
 * @throws BackupError for what an operator can put right
 */
export function dumpPostgres(
  url: string,
  programs: PostgresPrograms,
  file: string,
  signal: AbortSignal,
): Promise<DatabaseFacts> {
  return withConnection(url, async (connection) => {
    await programs.require('pg_dump', await majorOf(connection))
    await connection.exec(`set app.task = '${backupTask}'; set statement_timeout = 0;
      set idle_in_transaction_session_timeout = 0; begin isolation level repeatable read, read only`)
    const isRestricted = await requireEveryRow(connection)
    const [snapshot] = await connection.query<{ id: string }>('select pg_export_snapshot() as id')
    await programs.run(
      'pg_dump',
      [
        '--format=custom',
        `--snapshot=${snapshot?.id}`,
        ...ownSchemas.map((schema) => `--schema=${schema}`),
        // Otherwise pg_dump refuses tables with policies that hold for its user; `requireEveryRow` made sure that none hides rows.
        ...(isRestricted ? ['--enable-row-security'] : []),
      ],
      { signal, options: `-c app.task=${backupTask}`, into: file },
    )
    return readFacts((statement) => connection.query(statement))
  })
}

/** The major version of a server, such as 18. */
export async function majorOf(connection: Pick<MigrationConnection, 'query'>): Promise<number> {
  const [row] = await connection.query<{ version: number }>(
    "select current_setting('server_version_num')::int / 10000 as version",
  )
  return row?.version ?? 0
}

/** @returns whether row level security holds for this user @throws BackupError for a user whom it does not show all rows */
async function requireEveryRow(connection: MigrationConnection): Promise<boolean> {
  const [there] = await connection.query<{ there: boolean; restricted: boolean }>(
    `select to_regclass('app.patterns') is not null as there,
      coalesce(row_security_active(to_regclass('app.patterns')), false) as restricted`,
  )
  if (!there?.there) {
    throw new BackupError('The database at DATABASE_URL holds nothing of this service yet: start it once.')
  }
  const hidden = await tablesWithoutPolicy(connection)
  if (hidden.length === 0) return there.restricted
  throw new BackupError(
    `The user of DATABASE_URL does not see every row of ${hidden[0]}${hidden.length > 1 ? ` and ${hidden.length - 1} other tables` : ''}: run npm run migrate as the user that owns the tables, and back up as that one.`,
  )
}
