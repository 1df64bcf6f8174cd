import { join } from 'node:path'
import { createApp } from '../../apps/api/src/app.ts'
import { type Context, createContext } from '../../apps/api/src/context.ts'
import { createApiServer } from '../../apps/api/src/http/server.ts'
import { hashApiKey } from '../../packages/identity/src/keys/api-key.ts'
import { createKey } from '../../packages/identity/src/keys/service.ts'
import { createOrganization } from '../../packages/identity/src/organizations/service.ts'
import type { Clock } from '../../packages/shared/src/platform/clock.ts'
import { readConfig } from '../../packages/shared/src/platform/config.ts'
import { addressOf, listen } from '../../packages/shared/src/platform/http-server.ts'
import { createLog } from '../../packages/shared/src/platform/log.ts'
import { Connection } from './client.ts'

/** The service in this process, whose background work waits: what uses teach is written when the bench says so. */
export interface PausedService {
  context: Context
  /** A connection of a new organization, so to a space that is empty and unused. */
  newSpace(): Promise<Connection>
  /** A key of a new organization. */
  newKey(): Promise<string>
  connect(key: string): Promise<Connection>
  /** The space that a key works on. */
  spaceOf(key: string): Promise<string>
  /** As `newSpace`, with the space's id. */
  newTenant(): Promise<{ connection: Connection; spaceId: string }>
  /** Writes what has been noted, as the service does each second. */
  write(): Promise<void>
  stop(): Promise<void>
}

/** A clock that a bench moves. */
export class BenchClock implements Clock {
  #ahead = 0

  now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  advance(ms: number): void {
    this.#ahead += ms
  }
}

/**
 * @param options.databaseUrl an empty PostgreSQL database to use instead of the embedded one
 * @param options.settings further settings of the service
 * @param options.embeddings of texts that need not be encoded again
 */
export async function startPausedService({
  dataDir,
  databaseUrl,
  settings = {},
  clock,
  embeddings = new Map(),
}: {
  dataDir: string
  databaseUrl?: string | undefined
  settings?: Record<string, string>
  clock?: Clock
  embeddings?: ReadonlyMap<string, Float32Array>
}): Promise<PausedService> {
  const config = readConfig({
    MEMORY_DATA_DIR: join(dataDir, 'service'),
    LOG_LEVEL: 'warn',
    ...(databaseUrl === undefined
      ? {}
      : { DATABASE_URL: databaseUrl, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }),
    ...settings,
  })
  const context = await createContext(config, createLog, clock)
  const { pool } = context
  const encode = pool.embed.bind(pool)
  pool.embed = async (requester, text, urgency) => embeddings.get(text) ?? encode(requester, text, urgency)
  const server = await listen(createApiServer(createApp(context)), 0, '127.0.0.1', 'PORT')
  const { queries } = context.database
  const newKey = async () => {
    const organization = await createOrganization(queries, 'Bench', 'enterprise')
    const { key } = await createKey(queries, organization, {
      name: 'bench',
      environment: 'live',
      scopes: null,
      expiresAt: null,
    })
    return key
  }
  const connect = (key: string) => Connection.open(addressOf(server).port, { 'x-api-key': key })
  const spaceOf = async (key: string) =>
    (await context.callers.authentication.authenticate(hashApiKey(key), null, 0)).space_id as string
  return {
    context,
    newSpace: async () => connect(await newKey()),
    newKey,
    connect,
    spaceOf,
    newTenant: async () => {
      const key = await newKey()
      return { connection: await connect(key), spaceId: await spaceOf(key) }
    },
    write: async () => {
      await context.memory.accesses.flush()
      await context.memory.learning.flush()
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await context.close()
    },
  }
}
