import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allowBackups, backupPolicy, backupTask } from '../database/backup-policies.ts'
import type { MigrationConnection } from '../database/migration-connection.ts'
import { migrate } from '../database/migrations.ts'
import { openPostgres, withConnection } from '../database/postgres.ts'
import { createLog } from '../log.ts'
import { BackupError } from './backup-error.ts'
import { bringLedger, databaseIn } from './backup-folder.ts'
import { ownSchemas, readFacts } from './facts.ts'
import { majorOf } from './postgres-dump.ts'
import type { PostgresPrograms } from './postgres-programs.ts'
import { type Restore, requireSame } from './restore-embedded.ts'
import { asideName, restoringSchema } from './restoring.ts'

/** What was there before, under its name and the one that it has now. */
type Moved = [name: string, aside: string][]

/**
 * Restores into the PostgreSQL of a URL, whose user owns the tables then. Until all is done a schema stands there that
 * keeps services from starting.
 * @returns the schemas that hold what was there before
 * @throws BackupError for what an operator can put right; then all is as it was
 */
export function restorePostgres(
  url: string,
  programs: PostgresPrograms,
  restore: Restore,
  signal: AbortSignal,
): Promise<string[]> {
  const { backup, force } = restore
  return withConnection(url, async (connection) => {
    await requireServer(connection, programs, backup.manifest.serverVersion)
    const moved = await makeRoom(connection, force)
    try {
      await prepare(connection)
      await load(programs, join(backup.folder, databaseIn.postgres), signal)
      await finish(url, connection, restore)
    } catch (error) {
      await undo(connection, moved)
      throw error
    }
    await connection.exec(`drop schema ${restoringSchema}`)
    return moved.map(([, aside]) => aside)
  })
}

async function requireServer(
  connection: MigrationConnection,
  programs: PostgresPrograms,
  dumpedVersion: string,
): Promise<void> {
  const major = await majorOf(connection)
  await programs.require('pg_restore', major)
  if (major >= Number.parseInt(dumpedVersion, 10)) return
  throw new BackupError(
    `The backup is of PostgreSQL ${dumpedVersion}, and the server of DATABASE_URL of ${major}: restore it into one of that version or a later one.`,
  )
}

/** Puts up the mark of an unfinished restore, in one transaction with the way free. @throws BackupError */
async function makeRoom(connection: MigrationConnection, force: boolean): Promise<Moved> {
  const there = await connection.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any ($1)',
    [[...ownSchemas, restoringSchema]],
  )
  const names = there.map(({ name }) => name)
  if (names.includes(restoringSchema)) {
    // What there is was made by the restore that was interrupted.
    await dropOwn(connection)
    return []
  }
  if (names.length > 0 && !force) {
    throw new BackupError(
      `The database at DATABASE_URL holds data of this service already (schema ${names.join(', ')}): make an empty one, or say --force, which moves it aside.`,
    )
  }
  if (names.length > 0) await requireAlone(connection)
  const now = new Date()
  const moved: Moved = names.map((name) => [name, asideName(name, now)])
  const renames = moved.map(([name, aside]) => `alter schema ${name} rename to ${aside};`)
  await connection.exec(`begin; create schema ${restoringSchema}; ${renames.join(' ')} commit`)
  return moved
}

/** @throws BackupError while a service works on what is to be moved */
async function requireAlone(connection: MigrationConnection): Promise<void> {
  const [row] = await connection.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  if ((row?.others ?? 0) === 0) return
  throw new BackupError(
    `${row?.others} other connections use the database at DATABASE_URL: stop every process of the service first.`,
  )
}

/** What a dump of the service's schemas refers to and does not hold, as its first migration makes it. */
async function prepare(connection: MigrationConnection): Promise<void> {
  await connection.exec('create extension if not exists vector')
  for (const statement of ['create role memory_app nologin', 'grant memory_app to current_user']) {
    await connection.exec(`do $$
      begin
        ${statement};
      exception when duplicate_object or unique_violation or insufficient_privilege or invalid_grant_operation then
        -- It is there; where it is not, what follows says so.
        null;
      end
      $$`)
  }
}

/** All of the dump or nothing of it, without the policies for backups: they name the owner that it had. */
async function load(programs: PostgresPrograms, dump: string, signal: AbortSignal): Promise<void> {
  const things = await programs.list(dump, signal)
  const folder = await mkdtemp(join(tmpdir(), 'memory-restore-'))
  try {
    const list = join(folder, 'list')
    await writeFile(list, things.filter((line) => !isBackupPolicy(line)).join('\n'))
    const args = ['--no-owner', '--exit-on-error', '--single-transaction', `--use-list=${list}`, dump]
    await programs.run('pg_restore', args, { signal })
  } finally {
    await rm(folder, { recursive: true })
  }
}

const isBackupPolicy = (line: string) => new RegExp(` POLICY app \\S+ ${backupPolicy} `).test(line)

async function finish(
  url: string,
  connection: MigrationConnection,
  { backup, dataDir, complete }: Restore,
): Promise<void> {
  await allowBackups(connection)
  await connection.exec(`set app.task = '${backupTask}'`)
  const { tables } = await readFacts((statement) => connection.query(statement))
  requireSame(backup.manifest.tables, tables)
  await migrate(connection)
  // Without statistics the first queries are planned for empty tables.
  for (const table of Object.keys(tables)) await connection.exec(`analyze ${table}`)
  await bringLedger(backup, dataDir)
  const database = openPostgres(url, 4, createLog('warn'))
  try {
    await complete(database)
  } finally {
    await database.close()
  }
  // Snapshots of what was there before are newer than the backup.
  await rm(join(dataDir, 'index'), { recursive: true, force: true })
}

async function undo(connection: MigrationConnection, moved: Moved): Promise<void> {
  await dropOwn(connection)
  const back = moved.map(([name, aside]) => `alter schema ${aside} rename to ${name};`)
  await connection.exec(`begin; ${back.join(' ')} drop schema ${restoringSchema}; commit`)
}

async function dropOwn(connection: MigrationConnection): Promise<void> {
  await connection.exec(`drop schema if exists ${ownSchemas.join(', ')} cascade`)
}
