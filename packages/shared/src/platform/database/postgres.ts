import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { refuseUnfinishedPostgres } from '../backup/restoring.ts'
import { ConfigError } from '../config.ts'
import { FairTurns, type Leave } from '../fair-turns.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import type { MigrationConnection } from './migration-connection.ts'
import { MigrationError, migrate, pendingMigrations } from './migrations.ts'
import { readerOf } from './pg-values.ts'
import { PreparingPool } from './prepared-statements.ts'
import { QueuePool, type QueueResult } from './queue-pool.ts'
import { queueSchema } from './queue-schema.ts'
import { SubjectDialect } from './subject-dialect.ts'
import type { Tables } from './tables.ts'
import { connecting, isDatabaseUnavailable } from './unavailable.ts'

/** A request that gets no connection within this time is refused with 503. */
const poolWaitMs = 2_000
/** How often a connection that waits for notifications is tested for being alive. */
const listenerProbeMs = 15_000

const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    format === 'binary' ? pg.types.getTypeParser(type, format) : readerOf(type),
}

/**
 * What a statement means and which rows it sees, whatever the database, the user or the URL was given (`alter database … set`):
 * each has PostgreSQL's own default, which the embedded database has too.
 */
const meanings = Object.entries({
  // How values are written and read.
  datestyle: 'ISO,MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  // How statements are read.
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  // Which rows a statement sees, and that policies hide some of them instead of refusing it.
  default_transaction_isolation: 'read committed',
  row_security: 'on',
})
  // In startup options a space ends a value.
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ')

/**
 * Settings of every connection of a pool, beside `meanings`. The application role applies from the first statement on, and
 * RESET ROLE falls back to it.
 * A commit is on the disk before it is acknowledged. Nothing waits for ever. Sequential scans are off, because prepared
 * statements keep their plan: one made while a table was small would scan it sequentially when it has grown.
 */
const startOptions = [
  '-c role=memory_app',
  '-c synchronous_commit=on',
  '-c statement_timeout=5000',
  '-c lock_timeout=2000',
  '-c idle_in_transaction_session_timeout=10000',
  '-c enable_seqscan=off',
  // With sequential scans off, an unavoidable one has so high a cost estimate that PostgreSQL would JIT-compile it each time.
  '-c jit=off',
].join(' ')

/** URL parameters that must not override our settings. They are removed, since in the driver the URL would take precedence. */
const fixedHere = [
  'options',
  'query_timeout',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
]

/**
 * Removes the parameters `fixedHere` from the URL. Its `options` are kept, but `meanings` and ours come after them and so take
 * precedence.
 */
function withOptions(url: string, settings = ''): { connectionString: string; options: string } {
  const ours = `${meanings} ${settings}`.trim()
  const start = url.indexOf('?')
  if (start === -1) return { connectionString: url, options: ours }
  const parameters = new URLSearchParams(url.slice(start + 1).replace(/#.*$/, ''))
  const theirs = parameters.getAll('options').at(-1)
  for (const name of fixedHere) parameters.delete(name)
  const rest = parameters.size === 0 ? '' : `?${parameters}`
  return {
    connectionString: url.slice(0, start) + rest,
    options: theirs ? `${theirs} ${ours}` : ours,
  }
}

/**
 * Opens a pool of connections with the application role. It connects on first use.
 * @param probeMs see `listenerProbeMs`; shorter in tests
 */
export function openPostgres(url: string, poolSize: number, log: Log, probeMs = listenerProbeMs): Database {
  const pool = openPool(url, startOptions, poolSize, log)
  const dialect = new PostgresDialect({ pool: new FairPool(new PreparingPool(pool), poolSize) })
  const queries = new Kysely<Tables>({ dialect })
  return {
    kind: 'postgres',
    queries,
    lowPriorityQueries: queries,
    queriesOf: (scope) => new Kysely<Tables>({ dialect: new SubjectDialect(dialect, scope) }),
    listen: (channel, onNotify) => listen({ url, channel, onNotify, probeMs }, log),
    openQueuePool: (connections) => openQueuePool(url, connections, log),
    close: () => pool.end(),
  }
}

/** A pool whose connections are given out by `FairTurns`, not in order of arrival. The inner pool's own queue stays empty. */
class FairPool implements PostgresPool {
  readonly options: object
  readonly #pool: PreparingPool
  readonly #turns: FairTurns

  constructor(pool: PreparingPool, connections: number) {
    this.options = pool.options
    this.#pool = pool
    this.#turns = new FairTurns({ slots: connections, waitMaxMs: poolWaitMs })
  }

  async connect(): Promise<PostgresPoolClient> {
    const leave = await this.#turns.enter()
    try {
      return new FairClient(await connecting(this.#pool.connect()), leave)
    } catch (error) {
      leave()
      throw error
    }
  }

  end(): Promise<void> {
    return this.#pool.end()
  }
}

class FairClient implements PostgresPoolClient {
  readonly query: PostgresPoolClient['query']
  readonly #client: PostgresPoolClient
  readonly #leave: Leave

  constructor(client: PostgresPoolClient, leave: Leave) {
    this.query = client.query.bind(client)
    this.#client = client
    this.#leave = leave
  }

  release(destroy?: boolean): void {
    ;(this.#client.release as (destroy?: boolean) => void)(destroy)
    this.#leave()
  }
}

/** The queue's statements do not name their schema, and its tables have generic names. So its search path is that schema only. */
function openQueuePool(url: string, connections: number, log: Log): QueuePool {
  const pool = openPool(url, `${startOptions} -c search_path=${queueSchema}`, connections, log)
  const ending = Promise.withResolvers<void>()
  return new QueuePool({
    query: async (text, parameters) => {
      try {
        return await queryOn(pool, text, parameters)
      } catch (error) {
        // A worker would retry at once, again and again.
        if (isDatabaseUnavailable(error)) await setTimeout(1_000)
        throw error
      }
    },
    listen: (channel, onNotify) => listen({ url, channel, onNotify, probeMs: listenerProbeMs }, log),
    // Releases the connection when the pool is to end, which waits for all its connections.
    alone: (name, work) => alone(pool, name, () => Promise.race([work(), ending.promise])),
    end: () => {
      ending.resolve()
      return pool.end()
    },
  })
}

/** Like the pool's own `query`, but marks errors of connecting (see `connecting`). */
async function queryOn(pool: pg.Pool, text: string, parameters: readonly unknown[]): Promise<QueueResult> {
  const client = await connecting(pool.connect())
  let failure: Error | undefined
  try {
    const { rows, rowCount } = await client.query(text, [...parameters])
    return { rows, rowCount: rowCount ?? 0 }
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    // After an error the connection may be in an unknown state, so it is closed.
    client.release(failure)
  }
}

/**
 * Does the work unless another session holds the advisory lock of this name. The lock belongs to a transaction: so it is
 * released when the process dies, and works through a connection pooler. It occupies a connection of its own meanwhile.
 */
async function alone(pool: pg.Pool, name: string, work: () => Promise<void>): Promise<void> {
  const client = await connecting(pool.connect())
  try {
    await client.query('begin')
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock(hashtext($1)) as taken',
      [name],
    )
    if (rows[0]?.taken) await work()
  } finally {
    const failure = await client.query('rollback').catch((error: Error) => error)
    // When the rollback fails the connection is in an unknown state, so it is closed.
    client.release(failure instanceof Error ? failure : undefined)
  }
}

function openPool(url: string, options: string, connections: number, log: Log): pg.Pool {
  const pool = new pg.Pool({
    ...withOptions(url, options),
    max: connections,
    types,
    connectionTimeoutMillis: poolWaitMs,
    // Longer than the server's statement_timeout: this one is for when the connection is dead.
    query_timeout: 6_000,
    application_name: 'memory-service',
  })
  // Losing a connection in use fails its statement, which is enough. But an `error` event without a listener ends the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', (error) => log.warn({ error: error.message }, 'idle database connection lost'))
  return pool
}

/** Parameters of a listening connection. */
interface Listened {
  url: string
  channel: string
  onNotify: (payload: string) => void
  /** How often the connection is tested for being alive. */
  probeMs: number
}

/**
 * Opens a separate connection for notifications, which reconnects when it is lost. After each (re)connection `onNotify` is
 * called with an empty payload, since notifications may have been missed.
 */
async function listen(listened: Listened, log: Log): Promise<() => Promise<void>> {
  const { channel, onNotify } = listened
  const stop = new AbortController()
  let client = await connectListener(listened)
  const keep = async () => {
    while (!stop.signal.aborted) {
      await client.ended
      if (stop.signal.aborted) return
      log.warn({ channel }, 'notification connection lost')
      client = await reconnectListener(listened, stop.signal)
    }
  }
  const kept = keep()
  onNotify('')
  return async () => {
    stop.abort()
    await client.end()
    await kept
  }
}

interface Listener {
  /** Resolves when the connection has ended, for whatever reason. */
  ended: Promise<void>
  end(): Promise<void>
}

async function connectListener({ url, channel, onNotify, probeMs }: Listened): Promise<Listener> {
  const client = new pg.Client({
    ...withOptions(url, '-c role=memory_app'),
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    application_name: 'memory-service listener',
  })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => onNotify(payload))
  await connecting(client.connect())
  try {
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  } catch (error) {
    await hangUp(client)
    throw error
  }
  // A connection that only waits would never notice a dead peer: firewalls, for example, drop connections silently.
  const probe = setInterval(() => void client.query('select').catch(() => drop(client)), probeMs)
  probe.unref()
  void ended.then(() => clearInterval(probe))
  return { ended, end: () => hangUp(client) }
}

/** How long to wait for a graceful end of a connection, whose peer may be dead. */
const goodbyeMs = 1_000

async function hangUp(client: pg.Client): Promise<void> {
  await Promise.race([client.end(), setTimeout(goodbyeMs, undefined, { ref: false })])
  drop(client)
}

/** Closes a connection's socket, without a message to the server. */
function drop(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  connection.stream.destroy()
}

/** Tries to reconnect each second until it succeeds or is stopped. */
async function reconnectListener(listened: Listened, signal: AbortSignal): Promise<Listener> {
  while (!signal.aborted) {
    try {
      const listener = await connectListener(listened)
      // Stopped while connecting: `stop` has closed the previous connection only, so this one is closed here.
      if (signal.aborted) await listener.end()
      else listened.onNotify('')
      return listener
    } catch {
      await setTimeout(1_000, undefined, { signal }).catch(() => {})
    }
  }
  return { ended: Promise.resolve(), end: async () => {} }
}

/**
 * Waits for `work` on the database of DATABASE_URL when a process starts, and explains its errors to operators.
 * @throws ConfigError with one sentence when the database can't be used
 */
export async function requireUsable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ConfigError || error instanceof MigrationError) throw error
    const reason = reasonOf(error)
    if (isRoleRefused(reason)) {
      throw new ConfigError(
        `The user of DATABASE_URL can't work as the role memory_app (${reason}): let a superuser run GRANT memory_app TO that user, and CREATE ROLE memory_app NOLOGIN before where the server has no such role.`,
        { cause: error },
      )
    }
    throw new ConfigError(`The database at DATABASE_URL can't be used: ${reason}.`, { cause: error })
  }
}

/** Whether a message of PostgreSQL means that the user may not SET ROLE memory_app, or lacks that role's rights. */
const isRoleRefused = (reason: string): boolean =>
  /role "?memory_app|"role": "memory_app"|permission denied for schema app$/.test(reason)

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}

/** Runs the migrations with the privileges of the URL's own user. */
export function migratePostgres(url: string): Promise<string[]> {
  return withConnection(url, async (connection) => {
    await refuseUnfinishedPostgres(connection)
    return migrate(connection)
  })
}

/** The names of the migrations that the database still needs. */
export function pendingOnPostgres(url: string): Promise<string[]> {
  return withConnection(url, async (connection) => {
    await refuseUnfinishedPostgres(connection)
    return pendingMigrations(connection)
  })
}

/**
 * For a process that does not migrate itself: refuses an older schema, on which its writes would fail or be wrong. A newer
 * schema is accepted, since each release works with that of the next one.
 * @throws ConfigError with one sentence when the database lacks migrations of this release, or can't be used
 */
export async function requireMigrated(url: string): Promise<void> {
  const pending = await requireUsable(pendingOnPostgres(url))
  if (pending.length === 0) return
  throw new ConfigError(`The database lacks migrations (${pending.join(', ')}): run npm run migrate first.`)
}

/** Runs `work` on a connection with the rights of the URL's own user, without time limits for statements. */
export async function withConnection<T>(
  url: string,
  work: (connection: MigrationConnection) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...withOptions(url), types, connectionTimeoutMillis: 5_000 })
  // A lost connection fails the statement that waits for it, which is enough.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work({
      exec: async (statements) => {
        await client.query(statements)
      },
      query: async <Row>(statement: string, parameters: unknown[] = []) =>
        (await client.query(statement, parameters)).rows as Row[],
    })
  } finally {
    await client.end()
  }
}
