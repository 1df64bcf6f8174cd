import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migratePostgres } from '@memory/shared/platform/database/postgres'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import { newDatabase, type TestDatabase } from '../support/database.ts'

/** Three API processes over one PostgreSQL database. */
export interface ThreeProcesses {
  urls: readonly string[]
  databaseUrl: string
  close(): Promise<void>
}

/** Needs a PostgreSQL server (TEST_DATABASE_URL). */
export async function startThreeProcesses(): Promise<ThreeProcesses> {
  const database = (await newDatabase()) as TestDatabase
  const folder = mkdtempSync(join(tmpdir(), 'memory-three-'))
  await migratePostgres(database.url)
  const settings = { DATABASE_URL: database.url, MEMORY_MIGRATE: 'off', PASSWORD_BLOCKLIST: 'off' }
  const services: ServiceProcess[] = []
  for (const name of ['first', 'second', 'third']) {
    services.push(await startService(join(folder, name), settings))
  }
  return {
    urls: services.map(({ url }) => url),
    databaseUrl: database.url,
    close: async () => {
      await Promise.all(services.map((service) => service.stop('SIGKILL')))
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
