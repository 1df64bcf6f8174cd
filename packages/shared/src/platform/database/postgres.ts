import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { type MigrationConnection, migrate, pendingMigrations } from './migrations.ts'
import type { Tables } from './tables.ts'

const bigint = 20

/** Counters are far below 2^53; both drivers give them as numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === bigint && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

/**
 * What every connection starts with. The role holds from the first statement on and RESET ROLE falls back to it; a
 * commit is on disk before it is acknowledged; nothing waits for ever.
 */
const startOptions = [
  '-c role=memory_app',
  '-c synchronous_commit=on',
  '-c statement_timeout=5000',
  '-c lock_timeout=2000',
  '-c idle_in_transaction_session_timeout=10000',
].join(' ')

/** Opens a pool of connections that work as the application role. Connects on first use. */
export function openPostgres(url: string, poolSize: number, log: Log): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    options: startOptions,
    types,
    connectionTimeoutMillis: 2_000,
    // The server's own limit comes first, unless the way to it is gone.
    query_timeout: 6_000,
    application_name: 'memory-service',
  })
  pool.on('error', (error) => log.warn({ error: error.message }, 'idle database connection lost'))
  return {
    kind: 'postgres',
    queries: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    listen: (channel, onNotify) => listen(url, channel, onNotify, log),
    close: () => pool.end(),
  }
}

/**
 * A connection of its own for notifications: it reconnects when lost, and calls `onNotify` after each (re)connection
 * since something may have been missed.
 */
async function listen(
  url: string,
  channel: string,
  onNotify: () => void,
  log: Log,
): Promise<() => Promise<void>> {
  let client: pg.Client | undefined
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const connect = async () => {
    const next = new pg.Client({ connectionString: url, options: '-c role=memory_app' })
    next.on('notification', onNotify)
    next.on('error', (error) => {
      log.warn({ error: error.message, channel }, 'notification connection lost')
      if (!stopped) timer = setTimeout(retry, 1_000)
    })
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = next
    onNotify()
  }
  const retry = () => {
    connect().catch(() => {
      if (!stopped) timer = setTimeout(retry, 1_000)
    })
  }
  await connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end()
  }
}

/** Runs the migrations with the privileges of the URL's own user. */
export function migratePostgres(url: string): Promise<string[]> {
  return withConnection(url, migrate)
}

/** Names of the migrations that the database still needs. */
export function pendingOnPostgres(url: string): Promise<string[]> {
  return withConnection(url, pendingMigrations)
}

async function withConnection<T>(
  url: string,
  work: (connection: MigrationConnection) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, types, connectionTimeoutMillis: 5_000 })
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
