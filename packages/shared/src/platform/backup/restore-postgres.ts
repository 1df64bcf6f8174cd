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

/** The schemas that were moved aside, by their old and new names. */
type Moved = [name: string, aside: string][]

/**
 * Restores into the PostgreSQL of a URL, whose user then owns the tables. Until all is done, the schema `restoringSchema` keeps
 * services from starting.
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
    await takeTurn(connection)
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

/**
 * Holds off other restores for as long as this connection lives: everything that drops or renames is done on it, so that a
 * restore that has lost its turn can't take away what the next one has made.
 * @throws BackupError while another restore is at work
 */
async function takeTurn(connection: MigrationConnection): Promise<void> {
  // The connection idles while the program loads.
  await connection.exec('set idle_session_timeout = 0')
  const [row] = await connection.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtext($1)) as taken',
    [restoringSchema],
  )
  if (row?.taken) return
  throw new BackupError(
    'Another restore into the database at DATABASE_URL is at work: wait until it is done, then see whether this one is still needed.',
  )
}

/** In one transaction, creates the mark of an unfinished restore and moves aside what is there. @throws BackupError */
async function makeRoom(connection: MigrationConnection, force: boolean): Promise<Moved> {
  const there = await connection.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any ($1)',
    [[...ownSchemas, restoringSchema]],
  )
  const names = there.map(({ name }) => name)
  if (names.includes(restoringSchema)) {
    // A restore was interrupted: the service's schemas are what it had made. If it was killed, its program may still be at work.
    await endProgram(connection)
    await dropOwn(connection)
    return movedBefore(connection)
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
  const note = `comment on schema ${restoringSchema} is '${JSON.stringify(moved)}';`
  await connection.exec(`begin; create schema ${restoringSchema}; ${note} ${renames.join(' ')} commit`)
  return moved
}

/** What an interrupted restore moved aside, as the comment on its mark says, and nobody has taken away since. */
async function movedBefore(connection: MigrationConnection): Promise<Moved> {
  const [row] = await connection.query<{ note: string | null }>(
    "select obj_description(to_regnamespace($1), 'pg_namespace') as note",
    [restoringSchema],
  )
  const moved: Moved = JSON.parse(row?.note ?? '[]')
  const there = await connection.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any ($1)',
    [moved.map(([, aside]) => aside)],
  )
  return moved.filter(([, aside]) => there.some(({ name }) => name === aside))
}

/** Longer than a server takes to roll back; what it has not ended by then is waited for by whoever needs the same schema. */
const endedWithinMs = 30_000

async function endProgram(connection: MigrationConnection): Promise<void> {
  await connection.query(
    `select pg_terminate_backend(pid, $1) from pg_stat_activity
      where datname = current_database() and application_name = 'pg_restore' and usename = current_user`,
    [endedWithinMs],
  )
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

/** Creates what the dump refers to but does not contain, as the first migration does: the extension and the role. */
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

/** Loads all of the dump or nothing, without the policies for backups, which name the owner of the dumped tables. */
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
