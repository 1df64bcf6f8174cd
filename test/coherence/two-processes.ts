import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '@memory/identity/keys/service'
import { createOrganization } from '@memory/identity/organizations/service'
import { migratePostgres, openPostgres } from '@memory/shared/platform/database/postgres'
import { silent } from '../platform/open-database.ts'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import type { Client } from '../support/client.ts'
import { newDatabase, type TestDatabase } from '../support/database.ts'

/** Two API processes over one PostgreSQL database. */
export interface TwoProcesses {
  /** Clients of one new organization, one a process. */
  newClients(): Promise<[Client, Client]>
  /** What the processes have logged. */
  logged(): string
  close(): Promise<void>
}

/** Needs a PostgreSQL server (TEST_DATABASE_URL). */
export async function startTwoProcesses(): Promise<TwoProcesses> {
  const server = (await newDatabase()) as TestDatabase
  const folder = mkdtempSync(join(tmpdir(), 'memory-coherence-'))
  await migratePostgres(server.url)
  const database = openPostgres(server.url, 1, silent)
  const settings = { DATABASE_URL: server.url, MEMORY_MIGRATE: 'off' }
  const services = (await Promise.all(
    ['first', 'second'].map((name) => startService(join(folder, name), settings)),
  )) as [ServiceProcess, ServiceProcess]
  return {
    newClients: async () => {
      const organizationId = await createOrganization(database.queries, 'Test', 'enterprise')
      const { key } = await createKey(database.queries, organizationId, {
        name: 'test',
        environment: 'live',
        scopes: null,
        expiresAt: null,
      })
      return [services[0].client(key), services[1].client(key)]
    },
    logged: () => services.map(({ stdout }) => stdout).join(''),
    close: async () => {
      await Promise.all(services.map((service) => service.stop('SIGKILL')))
      await database.close()
      await server.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
