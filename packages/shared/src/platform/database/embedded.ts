import { createHash } from 'node:crypto'
import { constants, readFileSync } from 'node:fs'
import { access, cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
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

/** The PostgreSQL that the package brings; it opens no folder of another one. */
const postgresVersion = '18'

/**
 * Opens the embedded database in a folder that this process holds alone (see `takeDataDirectory`), creating and
 * migrating it when needed. All statements then run as the application role.
 * @throws ConfigError when the folder holds something else or can't be read.
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
    await migrate(migrating)
    // Whoever held a claim on an idempotency key was the process before this one, and it is gone.
    await migrating.exec('delete from app.idempotency_keys where status is null')
    // So was whoever built an export.
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

/** An embedded database as it was found. */
export interface FoundDatabase {
  /** As the owner of all tables. */
  connection: MigrationConnection
  /** Goes on as the application role, on a database of this release. */
  asService(): Promise<Database>
  close(): Promise<void>
}

/**
 * Opens the embedded database in a folder that this process holds alone, to look at what it holds: none is made, and none
 * migrated.
 * @param reserve of its disk; tests give their own
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

/** All statements of the session run as the application role from here on. Tests lend a session to one service after the other. */
export async function asService(
  session: EmbeddedSession,
  reserve: Pick<DiskReserve, 'isLow'>,
  directory: string,
): Promise<Database> {
  // Ours are schema-qualified; the job queue's are not, and come last. Sequential scans are off as on a server (`postgres.ts`).
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
        // Statements come one at a time, and each function is one.
        alone: (_, work) => work(),
        end: async () => {},
      }),
    close: () => session.close(),
  }
}

/** How a data directory is opened. */
export interface OpeningOptions {
  /** Is told when the disk becomes nearly full, and when it has room again. */
  log?: Log | undefined
  /** Comes when the directory is this process's and nothing in it is changed yet; where it throws, nothing will be. */
  before?: (() => Promise<void>) | undefined
}

/**
 * Takes a data directory for this process and opens its database; closing it gives the directory back.
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
 * Makes the seed that new data directories start from: a migrated, empty database. Creating one takes seconds,
 * copying its files a fraction of one. It holds no secret and nothing of an installation.
 */
export async function makeSeed(seedFolder = defaultSeedFolder()): Promise<void> {
  if (await exists(join(seedFolder, 'PG_VERSION'))) return
  const draft = `${seedFolder}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await mkdir(dirname(draft), { recursive: true })
  await create(draft)
  await publish(draft, seedFolder)
}

/** The seed of this release: another set of migrations or database version has another folder. */
export function defaultSeedFolder(): string {
  const root = fileURLToPath(new URL('../../../../..', import.meta.url))
  const hash = createHash('sha256')
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  hash.update(readFileSync(join(dirname(entry), '..', 'package.json')))
  for (const migration of listMigrations()) hash.update(migration.name).update(migration.checksum)
  hash.update(`queue ${queueSchemaVersion}`)
  return join(root, 'node_modules', '.cache', 'memory-service', `seed-${hash.digest('hex').slice(0, 16)}`)
}

async function open(directory: string): Promise<ThreadSession> {
  try {
    return await ThreadSession.open(directory)
  } catch (error) {
    throw unreadable(directory, error)
  }
}

/** A process that runs goes on reading; one that starts has things to write. */
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

/** Nothing is there yet. A folder with contents is never written over, whatever it lacks. */
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

/** @throws ConfigError when another PostgreSQL made the folder; nothing in it has been touched */
async function requireVersion(directory: string): Promise<void> {
  const found = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim()
  if (found === postgresVersion) return
  if (!/^\d+(\.\d+)?$/.test(found)) throw unreadable(directory, new Error('its PG_VERSION is damaged'))
  throw new ConfigError(
    `The embedded database in ${directory} is of PostgreSQL ${found}, and this release has ${postgresVersion}: bring what is in it over by an export (docs/upgrading.md), or set MEMORY_DATA_DIR to another folder.`,
  )
}

/** An incomplete copy would be found out table by table, by whoever asks for what is not there. @throws ConfigError */
async function requireFiles(directory: string, connection: MigrationConnection): Promise<void> {
  const [first, ...others] = await findMissingFiles(directory, connection)
  if (first === undefined) return
  const reason =
    others.length === 0
      ? `the file of ${first} is missing`
      : `the files of ${first} and ${others.length} more are missing`
  throw unreadable(directory, new Error(reason))
}

/** Puts a database into a new folder: a copy of the seed, or without one created here. It appears whole or not at all. */
async function plant(seedFolder: string, directory: string): Promise<void> {
  const draft = `${directory}.new`
  await rm(draft, { recursive: true, force: true })
  // The folder that it lies in may be open to others.
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

async function publish(draft: string, folder: string): Promise<void> {
  // PostgreSQL never writes most of these files again, so nothing later would bring them to the disk.
  await syncFolder(draft)
  try {
    await rename(draft, folder)
    await sync(dirname(folder))
  } catch (error) {
    // Another process was first with the same contents.
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
