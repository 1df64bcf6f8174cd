import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { plans } from '../../catalogue/plans.ts'
import { allowBackups } from './backup-policies.ts'
import type { MigrationConnection } from './migration-connection.ts'
import { isQueueMigrated, migrateQueue, queueSchema, queueSchemaVersion } from './queue-schema.ts'
import { missingRights } from './rights.ts'

export interface Migration {
  /** The file's path within the folder `migrations`. */
  name: string
  statements: string
  checksum: string
}

const folder = fileURLToPath(new URL('../../../../../migrations', import.meta.url))
const functionsPrefix = 'functions/'

/**
 * The migrations of this release, in the order they are applied: those of the tables, each once, then the functions, each
 * file whenever its text has changed (`migrations/README.md`).
 */
export function listMigrations(): Migration[] {
  return [
    ...readMigrations('', /^\d{4}-[a-z0-9-]+\.sql$/),
    ...readMigrations(functionsPrefix, /^[a-z0-9-]+\.sql$/),
  ]
}

function readMigrations(prefix: string, names: RegExp): Migration[] {
  return readdirSync(`${folder}/${prefix}`)
    .filter((name) => names.test(name))
    .sort()
    .map((name) => {
      const statements = readFileSync(`${folder}/${prefix}${name}`, 'utf8')
      return { name: prefix + name, statements, checksum: nameOfText(checksumOf(statements)) }
    })
}

/**
 * Migrations whose text was changed without changing their effect: checksum of the new text to that of the first. They are
 * recorded under the first checksum, so that databases made with either text work with releases that have the other.
 * `0101` no longer needs the right to create roles where the role exists; `0128` no longer analyzes empty tables.
 */
const amended = new Map([
  [
    '4468ecba48347b4f861c6137a31a1c7684f0a54c4ee54bd91aec2dcf110cf850',
    '45e1c553da787f1ad2fbe15ddd63c89524575e3d3a66eeea77e2c34d1386a164',
  ],
  [
    '058c12de1464800dec65777be20f43802a99bfc17f477bfad34ec501b590315b',
    'c1b7692a5f7931e45bb5d04b1527971076d976f6230de84956f5e0856b850068',
  ],
])
const nameOfText = (checksum: string): string => amended.get(checksum) ?? checksum

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const isFunctions = ({ name }: Migration): boolean => name.startsWith(functionsPrefix)

/**
 * The 38 former migrations, which this release no longer contains: those up to `squash` replaced them and make the same schema.
 * A database with all of the former is therefore taken over as it is. One with only some of them must first be migrated by the
 * last version that had them.
 */
const former = {
  last: '0038-local-registrations.sql',
  /** The checksum over all their names and checksums. */
  checksum: '2e61170a0a734161275a8139170164d68f1cd63046ac1706e618df565f33fcd6',
  /** The last commit that contains them. */
  version: '4128cbf',
}
const squash = '0109-messages.sql'
const isFormer = (name: string): boolean => name <= former.last

/** The name under which the job queue's own migrations are listed. */
const queueMigration = `${queueSchema} ${queueSchemaVersion}`

export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** What has to be done to bring a database to this release. */
interface Plan {
  /** Migrations to be recorded as applied, because the former ones have made the same. */
  squashed: Migration[]
  tables: Migration[]
  functions: Migration[]
}

/** @throws MigrationError when the database is of a version that is too old */
function planMigrations(applied: Map<string, string>): Plan {
  const isTakenOver = [...applied.keys()].some(isFormer) && !applied.has(squash)
  if (isTakenOver) requireFormer(applied)
  const known = listMigrations()
  const missing = known.filter(({ name, checksum }) => applied.get(name) !== checksum)
  const tables = known.filter((migration) => !isFunctions(migration))
  // Functions fit the tables of their release. So on a database of a later release, its functions are kept.
  const last = tables.at(-1)?.name ?? ''
  const isNewer = [...applied.keys()].some((name) => /^\d/.test(name) && name > last)
  return {
    squashed: isTakenOver ? tables.filter(({ name }) => name <= squash) : [],
    tables: missing.filter((each) => !isFunctions(each) && !(isTakenOver && each.name <= squash)),
    functions: isNewer ? [] : missing.filter(isFunctions),
  }
}

/** @throws MigrationError unless all former migrations were applied, in their last version */
function requireFormer(applied: Map<string, string>): void {
  const names = [...applied.keys()].filter(isFormer).sort()
  if (checksumOf(names.map((name) => `${name} ${applied.get(name)}\n`).join('')) === former.checksum) return
  throw new MigrationError(
    `The database is at migration ${names.at(-1)} of an earlier version: start the version of commit ${former.version} on it once, which brings it to ${former.last}, then this one (docs/upgrading.md).`,
  )
}

/** The key of the advisory lock of migrations: "memo" in ASCII. */
const lockKey = 0x6d656d6f

/**
 * Applies the migrations that the database lacks, each in a transaction of its own and the functions in one, and brings the
 * plan table and the job queue's schema up to date. Several processes may start at once: one migrates, the others poll for
 * the lock (a blocked advisory lock would deadlock with CREATE INDEX CONCURRENTLY). Run again after a crash, it completes.
 * @returns the names of what was applied.
 * @throws MigrationError when an applied migration differs from this release's, the database is too old, or the user lacks
 *   rights
 */
export async function migrate(connection: MigrationConnection, waitMs = 60_000): Promise<string[]> {
  await requireVersion(connection)
  await takeLock(connection, waitMs)
  try {
    const lacking = await missingRights(connection)
    if (lacking !== undefined) throw new MigrationError(lacking)
    if (!(await hasSchema(connection))) await connection.exec('create schema app')
    await connection.exec(
      'create table if not exists app.migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const applied = await appliedMigrations(connection)
    const { squashed, tables, functions } = planMigrations(applied)
    for (const { name } of tables) {
      if (!applied.has(name)) continue
      throw new MigrationError(
        `Migration ${name} was applied with other contents than this release has: restore the file, or the database, that belongs to the other.`,
      )
    }
    if (squashed.length > 0) await inTransaction(connection, () => record(connection, squashed))
    for (const migration of tables) await apply(connection, [migration], waitMs)
    if (functions.length > 0) await apply(connection, functions, waitMs)
    await syncPlans(connection)
    await connection.exec('grant select on app.migrations to memory_app')
    await allowBackups(connection)
    const names = [...tables, ...functions].map(({ name }) => name)
    if (await migrateQueue(connection)) names.push(queueMigration)
    return names
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [lockKey])
  }
}

/**
 * The names of the migrations that this release would apply to the database.
 * @throws MigrationError when the database is too old
 */
export async function pendingMigrations(connection: Pick<MigrationConnection, 'query'>): Promise<string[]> {
  const [exists] = await connection.query<{ there: boolean }>(
    "select to_regclass('app.migrations') is not null as there",
  )
  const applied = exists?.there ? await appliedMigrations(connection) : new Map<string, string>()
  const { tables, functions } = planMigrations(applied)
  const pending = [...tables, ...functions].map(({ name }) => name)
  return (await isQueueMigrated(connection)) ? pending : [...pending, queueMigration]
}

/** The name of the last applied migration of the tables. Functions do not count: they are applied in no order. */
export async function lastMigration(
  query: <Row>(statement: string) => Promise<Row[]>,
): Promise<string | undefined> {
  const [row] = await query<{ name: string | null }>(
    "select max(name) as name from app.migrations where name ~ '^[0-9]'",
  )
  return row?.name ?? undefined
}

/** Checked beforehand, because `create schema if not exists` needs the right to create one even when it exists. */
async function hasSchema(connection: MigrationConnection): Promise<boolean> {
  const [row] = await connection.query<{ there: boolean }>(
    "select to_regnamespace('app') is not null as there",
  )
  return row?.there === true
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

/**
 * Applies migrations in one transaction, and retries for up to `waitMs` while others hold locks that it needs.
 * @throws MigrationError when one fails, or others hold such a lock for longer
 */
async function apply(
  connection: MigrationConnection,
  migrations: Migration[],
  waitMs: number,
): Promise<void> {
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      return await applyOnce(connection, migrations)
    } catch (error) {
      if (!isHeldUp((error as Error).cause)) throw error
      if (Date.now() > deadline) {
        throw new MigrationError(
          `${(error as Error).message}: something else, such as a backup or an open transaction, holds what it changes. Run it again when that is over.`,
          { cause: error },
        )
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/**
 * The previous release may still be serving, and locks tables in another order, so deadlocks are possible. A migration gives up
 * sooner than PostgreSQL looks for deadlocks (after 1 s), so that it, and not a request, is what fails and is retried.
 */
const lockTimeout = "set local lock_timeout = '500ms'"

/** Whether an error is PostgreSQL's lock_not_available or deadlock_detected. */
const isHeldUp = (cause: unknown): boolean =>
  ['55P03', '40P01'].includes((cause as { code?: string } | undefined)?.code ?? '')

async function applyOnce(connection: MigrationConnection, migrations: Migration[]): Promise<void> {
  await inTransaction(connection, async () => {
    await connection.exec(lockTimeout)
    for (const migration of migrations) {
      try {
        await connection.exec(migration.statements)
      } catch (error) {
        throw new MigrationError(`Migration ${migration.name} failed: ${(error as Error).message}`, {
          cause: error,
        })
      }
    }
    await record(connection, migrations)
  })
}

async function record(connection: MigrationConnection, migrations: Migration[]): Promise<void> {
  for (const { name, checksum } of migrations) {
    await connection.query(
      `insert into app.migrations (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum, applied_at = excluded.applied_at`,
      [name, checksum],
    )
  }
}

async function inTransaction(connection: MigrationConnection, work: () => Promise<void>): Promise<void> {
  await connection.exec('begin')
  try {
    await work()
    await connection.exec('commit')
  } catch (error) {
    await connection.exec('rollback')
    throw error
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
