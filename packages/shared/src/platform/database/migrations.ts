import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { plans } from '../../catalogue/plans.ts'
import type { MigrationConnection } from './migration-connection.ts'
import { isQueueMigrated, migrateQueue, queueSchema, queueSchemaVersion } from './queue-schema.ts'

export interface Migration {
  name: string
  statements: string
  checksum: string
}

const folder = fileURLToPath(new URL('../../../../../migrations', import.meta.url))

/** The migrations of this release, in the order they are applied. */
export function listMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const statements = readFileSync(`${folder}/${name}`, 'utf8')
      return { name, statements, checksum: createHash('sha256').update(statements).digest('hex') }
    })
}

/** How the job queue's own migrations are called, beside ours. */
const queueMigration = `${queueSchema} ${queueSchemaVersion}`

export class MigrationError extends Error {
  override name = 'MigrationError'
}

const lockKey = 0x6d656d6f

/**
 * Applies the migrations that the database lacks, each in a transaction of its own, and brings the plan table and the
 * job queue's schema up to date. Several processes may start at once: one migrates, the others poll for the lock (a
 * blocked advisory lock would deadlock with CREATE INDEX CONCURRENTLY). Run again after a crash, it completes.
 * @returns the names of what was applied.
 * @throws MigrationError when an applied migration differs from this release's, or the database is too old.
 */
export async function migrate(connection: MigrationConnection, waitMs = 60_000): Promise<string[]> {
  await requireVersion(connection)
  await takeLock(connection, waitMs)
  try {
    await connection.exec('create schema if not exists app')
    await connection.exec(
      'create table if not exists app.migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const applied = await appliedMigrations(connection)
    const names: string[] = []
    for (const migration of listMigrations()) {
      const checksum = applied.get(migration.name)
      if (checksum === migration.checksum) continue
      if (checksum !== undefined) {
        throw new MigrationError(
          `Migration ${migration.name} was applied with other contents than this release has: restore the file, or the database, that belongs to the other.`,
        )
      }
      await apply(connection, migration)
      names.push(migration.name)
    }
    await syncPlans(connection)
    await connection.exec('grant select on app.migrations to memory_app')
    if (await migrateQueue(connection)) names.push(queueMigration)
    return names
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [lockKey])
  }
}

/** Names of what this release would apply. */
export async function pendingMigrations(connection: Pick<MigrationConnection, 'query'>): Promise<string[]> {
  const [exists] = await connection.query<{ there: boolean }>(
    "select to_regclass('app.migrations') is not null as there",
  )
  const applied = exists?.there ? await appliedMigrations(connection) : new Map<string, string>()
  const pending = listMigrations()
    .filter((migration) => applied.get(migration.name) !== migration.checksum)
    .map((migration) => migration.name)
  return (await isQueueMigrated(connection)) ? pending : [...pending, queueMigration]
}

async function appliedMigrations(
  connection: Pick<MigrationConnection, 'query'>,
): Promise<Map<string, string>> {
  const rows = await connection.query<{ name: string; checksum: string }>(
    'select name, checksum from app.migrations',
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

async function requireVersion(connection: MigrationConnection): Promise<void> {
  const [row] = await connection.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )
  if ((row?.version ?? 0) < 160_000) {
    throw new MigrationError(
      `PostgreSQL 16 or later is needed; this server is ${Math.floor((row?.version ?? 0) / 10_000)}.`,
    )
  }
}

async function takeLock(connection: MigrationConnection, waitMs: number): Promise<void> {
  const deadline = Date.now() + waitMs
  for (;;) {
    const [row] = await connection.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      lockKey,
    ])
    if (row?.taken) return
    if (Date.now() > deadline) {
      throw new MigrationError('Another process has been migrating the database for too long; see its log.')
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function apply(connection: MigrationConnection, migration: Migration): Promise<void> {
  await connection.exec('begin')
  try {
    await connection.exec(migration.statements)
    await connection.query('insert into app.migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
    await connection.exec('commit')
  } catch (error) {
    await connection.exec('rollback')
    throw new MigrationError(`Migration ${migration.name} failed: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function syncPlans(connection: MigrationConnection): Promise<void> {
  const [row] = await connection.query<{ there: boolean }>(
    "select to_regclass('app.plans') is not null as there",
  )
  if (!row?.there) return
  for (const [name, plan] of Object.entries(plans)) {
    await connection.query(
      `insert into app.plans (name, patterns, queries_per_day, api_keys, members) values ($1, $2, $3, $4, $5)
       on conflict (name) do update set patterns = excluded.patterns, queries_per_day = excluded.queries_per_day,
         api_keys = excluded.api_keys, members = excluded.members
       where (plans.patterns, plans.queries_per_day, plans.api_keys, plans.members)
         is distinct from (excluded.patterns, excluded.queries_per_day, excluded.api_keys, excluded.members)`,
      [name, plan.patterns, plan.queriesPerDay, plan.apiKeys, plan.members],
    )
  }
}
