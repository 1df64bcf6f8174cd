import { createHash } from 'node:crypto'
import { constants, readFileSync } from 'node:fs'
import { access, cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { copyEmbedded } from '../backup/embedded-copy.ts'
import { refuseUnfinished } from '../backup/restoring.ts'
import { ConfigError } from '../config.ts'
import { takeDataDirectory } from '../data-directory.ts'
import type { Log } from '../log.ts'
import { LowPriorityQueue } from '../low-priority-queue.ts'
import { keepPrivate } from '../private-folders.ts'
import { sync, syncFolder } from '../sync-files.ts'
import type { Database } from './database.ts'
import { DiskReserve, reserveBytes } from './disk-reserve.ts'
import { EmbeddedDialect } from './embedded-dialect.ts'
import type { EmbeddedSession } from './embedded-session.ts'
import { EmbeddedStatements } from './embedded-statements.ts'
import { dropTemplates, EmbeddedUpkeep, upkeepGrant } from './embedded-upkeep.ts'
import type { MigrationConnection } from './migration-connection.ts'
import { listMigrations, MigrationError, migrate } from './migrations.ts'
import { findMissingFiles } from './missing-files.ts'
import { QueuePool } from './queue-pool.ts'
import { queueSchema, queueSchemaVersion } from './queue-schema.ts'
import { SubjectDialect } from './subject-dialect.ts'
import type { Tables } from './tables.ts'
import { ThreadSession } from './thread-session.ts'

/** The major version of PostgreSQL in the pinned PGlite. It can't open a folder of another major version. */
const postgresVersion = '18'

/**
 * Opens the embedded database in a folder that is locked by this process (see `takeDataDirectory`), creating and migrating it
 * when needed. All later statements run as the application role.
 * @throws ConfigError when the folder contains something else or can't be read
 */
export async function openEmbedded(
  directory: string,
  seedFolder = defaultSeedFolder(),
  log?: Log,
): Promise<Database> {
  if (await isNew(directory)) await plant(seedFolder, directory)
  else await requireVersion(directory)
  const reserve = new DiskReserve(directory, log)
  requireRoom(reserve, directory)
  const session = await open(directory)
  try {
    const migrating = connectionOf(new EmbeddedStatements(session, reserve))
    await requireFiles(directory, migrating)
    const applied = await migrate(migrating)
    if (applied.length > 0) log?.info({ applied }, 'database migrated')
    // Any claims on idempotency keys were the previous process's, which is gone.
    await migrating.exec('delete from app.idempotency_keys where status is null')
    // The same holds for exports that were being built.
    await migrating.exec('update app.exports set active_at = null where active_at is not null')
    await migrating.exec(upkeepGrant)
    await dropTemplates(migrating)
    return await asService(session, reserve, directory)
  } catch (error) {
    await session.close()
    if (error instanceof MigrationError || error instanceof ConfigError) throw error
    throw unreadable(directory, error)
  }
}

/** An existing embedded database, opened without changing it. */
export interface FoundDatabase {
  /** Runs statements as the owner of all tables. */
  connection: MigrationConnection
  /** Switches to the application role for good. The database must have this release's schema. */
  asService(): Promise<Database>
  close(): Promise<void>
}

/**
 * Opens an existing embedded database, in a folder that is locked by this process, without creating or migrating it.
 * @param reserve watches its disk; tests replace it
 * @throws ConfigError when the folder can't be read
 */
export async function openAsFound(
  directory: string,
  reserve: Pick<DiskReserve, 'isLow'> = new DiskReserve(directory),
): Promise<FoundDatabase> {
  if (await isNew(directory)) throw unreadable(directory, new Error('it is empty'))
  await requireVersion(directory)
  const session = await open(directory)
  const connection = connectionOf(new EmbeddedStatements(session, reserve))
  try {
    await requireFiles(directory, connection)
  } catch (error) {
    await session.close()
    throw error
  }
  return {
    connection,
    asService: () => asService(session, reserve, directory),
    close: () => session.close(),
  }
}

/**
 * Switches a session to the application role and makes a `Database` of it. Tests use one session for several services, one after
 * the other.
 */
export async function asService(
  session: EmbeddedSession,
  reserve: Pick<DiskReserve, 'isLow'>,
  directory: string,
): Promise<Database> {
  // The search path is for the job queue, whose statements do not name their schema, unlike the service's own. Sequential scans
  // are off for the same reason as on a server (`startOptions` in `postgres.ts`).
  const statements = new EmbeddedStatements(session, reserve)
  await statements.exec(
    `deallocate all; set role memory_app; set search_path = "$user", public, ${queueSchema}; set app.announces = 'on'; set app.tells_versions = 'on'; set enable_seqscan = off`,
  )
  const listen: Database['listen'] = (channel, onNotify) => statements.listen(channel, onNotify)
  const upkeep = new EmbeddedUpkeep(connectionOf(statements))
  const dialect = new EmbeddedDialect(statements)
  return {
    kind: 'embedded',
    queries: new Kysely<Tables>({ dialect }),
    queriesOf: (scope) => new Kysely<Tables>({ dialect: new SubjectDialect(dialect, scope) }),
    lowPriorityQueries: new Kysely<Tables>({
      dialect: new EmbeddedDialect(statements, LowPriorityQueue.steady()),
    }),
    listen,
    durable: () => statements.durable(),
    upkeep,
    copyTo: (target, watch) => upkeep.holdLog(() => copyEmbedded({ statements, directory, target, watch })),
    openQueuePool: () =>
      new QueuePool({
        query: async (text, parameters) => {
          const { rows, affectedRows } = await statements.run<Record<string, unknown>>(
            text,
            parameters,
            false,
          )
          return { rows, rowCount: affectedRows ?? rows.length }
        },
        listen,
        // Only this process uses the database, and its statements run one at a time.
        alone: (_, work) => work(),
        end: async () => {},
      }),
    close: () => session.close(),
  }
}

/** Options for opening a data directory. */
export interface OpeningOptions {
  /** Where it is logged that the disk is nearly full, and that it has room again. */
  log?: Log | undefined
  /** Called when the directory is locked, but before anything in it changes; when it throws, nothing is changed. */
  before?: (() => Promise<void>) | undefined
}

/**
 * Locks a data directory for this process and opens its database. Closing the database unlocks the directory.
 * @throws DataDirectoryTaken, ConfigError
 */
export async function openDataDirectory(
  dataDir: string,
  { log, before }: OpeningOptions = {},
): Promise<Database> {
  const directory = takeDataDirectory(dataDir)
  try {
    await before?.()
    keepPrivate(directory.path)
    refuseUnfinished(directory.path)
    const database = await openEmbedded(join(directory.path, 'database'), undefined, log)
    return {
      ...database,
      close: async () => {
        await database.close()
        directory.release()
      },
    }
  } catch (error) {
    directory.release()
    throw error
  }
}

/**
 * Makes the seed: an empty, migrated database that is copied for each new data directory. Creating a database takes seconds,
 * copying its files a fraction of one. The seed contains no secrets and nothing specific to an installation.
 */
export async function makeSeed(seedFolder = defaultSeedFolder()): Promise<void> {
  if (await exists(join(seedFolder, 'PG_VERSION'))) return
  await mkdir(dirname(seedFolder), { recursive: true })
  // Closed to other users, since PGlite makes files that all may write to. Where another one runs the service, it makes its own.
  const draft = await mkdtemp(`${seedFolder}.`)
  await create(draft)
  await publish(draft, seedFolder)
}

/** The folder of this release's seed. Its name contains a hash of the migrations and of PGlite's version. */
export function defaultSeedFolder(): string {
  const root = fileURLToPath(new URL('../../../../..', import.meta.url))
  const hash = createHash('sha256')
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  hash.update(readFileSync(join(dirname(entry), '..', 'package.json')))
  for (const migration of listMigrations()) hash.update(migration.name).update(migration.checksum)
  hash.update(`queue ${queueSchemaVersion}`)
  // Earlier seeds could be written to by all users, so they are not used.
  hash.update('closed')
  return join(root, 'node_modules', '.cache', 'memory-service', `seed-${hash.digest('hex').slice(0, 16)}`)
}

async function open(directory: string): Promise<ThreadSession> {
  try {
    return await ThreadSession.open(directory)
  } catch (error) {
    throw unreadable(directory, error)
  }
}

/** A running process can go on reading when the disk is full, but a start has to write. @throws ConfigError */
function requireRoom(reserve: DiskReserve, directory: string): void {
  if (!reserve.isLow) return
  const neededMiB = reserveBytes / 2 ** 20
  throw new ConfigError(
    `The disk of ${directory} is nearly full: free at least ${neededMiB} MiB, or set MEMORY_DATA_DIR to a folder on another disk.`,
  )
}

function unreadable(directory: string, error: unknown): ConfigError {
  const reason = error instanceof Error ? error.message : String(error)
  return new ConfigError(
    `The embedded database in ${directory} can't be opened (${reason.slice(0, 200)}): restore the folder from a backup, or set MEMORY_DATA_DIR to another one.`,
  )
}

/** Whether the folder is missing or empty. @throws ConfigError when it contains files but no database: it is never overwritten */
async function isNew(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw unreadable(directory, error)
  })
  if (names.length > 0 && !names.includes('PG_VERSION')) {
    throw unreadable(directory, new Error('it holds files, but no PG_VERSION'))
  }
  return names.length === 0
}

/** @throws ConfigError when the folder is of another version of PostgreSQL; nothing in it is changed */
async function requireVersion(directory: string): Promise<void> {
  const found = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim()
  if (found === postgresVersion) return
  if (!/^\d+(\.\d+)?$/.test(found)) throw unreadable(directory, new Error('its PG_VERSION is damaged'))
  throw new ConfigError(
    `The embedded database in ${directory} is of PostgreSQL ${found}, and this release has ${postgresVersion}: bring what is in it over by an export (docs/upgrading.md), or set MEMORY_DATA_DIR to another folder.`,
  )
}

/**
 * Detects an incomplete copy at the start; otherwise it would show only later, whenever a request needs a missing file.
 * @throws ConfigError when files are missing
 */
async function requireFiles(directory: string, connection: MigrationConnection): Promise<void> {
  const [first, ...others] = await findMissingFiles(directory, connection)
  if (first === undefined) return
  const reason =
    others.length === 0
      ? `the file of ${first} is missing`
      : `the files of ${first} and ${others.length} more are missing`
  throw unreadable(directory, new Error(reason))
}

/** Creates a database in a new folder, from the seed if there is one. The folder appears atomically. */
async function plant(seedFolder: string, directory: string): Promise<void> {
  const draft = `${directory}.new`
  await rm(draft, { recursive: true, force: true })
  // Private, because other users may have access to the parent folder.
  await mkdir(draft, { recursive: true, mode: 0o700 })
  if (await exists(join(seedFolder, 'PG_VERSION'))) {
    await cp(seedFolder, draft, { recursive: true, mode: constants.COPYFILE_FICLONE })
  } else {
    await create(draft)
  }
  await rm(directory, { recursive: true, force: true })
  await publish(draft, directory)
}

async function create(directory: string): Promise<void> {
  const session = await open(directory)
  const connection = connectionOf(new EmbeddedStatements(session, new DiskReserve(directory)))
  await migrate(connection)
  await dropTemplates(connection)
  await session.close()
}

/** Moves a complete folder to its place, durably and atomically. */
async function publish(draft: string, folder: string): Promise<void> {
  // PostgreSQL never writes most of these files again, so it would never sync them either.
  await syncFolder(draft)
  try {
    await rename(draft, folder)
    await sync(dirname(folder))
  } catch (error) {
    // Another process may have put the same contents there first.
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(join(folder, 'PG_VERSION')))) throw error
  }
}

function connectionOf(statements: EmbeddedStatements): MigrationConnection {
  return {
    exec: (text) => statements.exec(text),
    query: async <Row>(statement: string, parameters: unknown[] = []) =>
      (await statements.run<Row>(statement, parameters, false)).rows,
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
