import { join } from 'node:path'
import { createApp } from '../../apps/api/src/app.ts'
import { createContext } from '../../apps/api/src/context.ts'
import { addressOf, createApiServer, listen } from '../../apps/api/src/http/server.ts'
import { createKey } from '../../packages/shared/src/keys/service.ts'
import { createOrganization } from '../../packages/shared/src/organizations/service.ts'
import { readConfig } from '../../packages/shared/src/platform/config.ts'
import { createLog } from '../../packages/shared/src/platform/log.ts'
import { Connection } from './client.ts'

/** The service in this process, whose background work waits: what uses teach is written when the bench says so. */
export interface PausedService {
  /** A connection of a new organization, so to a space that is empty and unused. */
  newSpace(): Promise<Connection>
  /** Writes what has been noted, as the service does each second. */
  write(): Promise<void>
  stop(): Promise<void>
}

/** @param options.databaseUrl an empty PostgreSQL database to use instead of the embedded one */
export async function startPausedService({
  dataDir,
  databaseUrl,
}: {
  dataDir: string
  databaseUrl?: string | undefined
}): Promise<PausedService> {
  const config = readConfig({
    MEMORY_DATA_DIR: join(dataDir, 'service'),
    LOG_LEVEL: 'warn',
    ...(databaseUrl === undefined
      ? {}
      : { DATABASE_URL: databaseUrl, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }),
  })
  const context = await createContext(config, createLog)
  const server = await listen(createApiServer(createApp(context)), 0, '127.0.0.1', 'PORT')
  const { queries } = context.database
  return {
    newSpace: async () => {
      const organization = await createOrganization(queries, 'Bench', 'enterprise')
      const { key } = await createKey(queries, organization, {
        name: 'bench',
        environment: 'live',
        scopes: null,
        expiresAt: null,
      })
      return Connection.open(addressOf(server).port, { 'x-api-key': key })
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
