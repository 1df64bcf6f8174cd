import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@memory/shared/platform/database/database'
import { openEmbedded } from '@memory/shared/platform/database/embedded'
import { openPostgres } from '@memory/shared/platform/database/postgres'
import { silent } from '../platform/open-database.ts'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import { newDatabase } from '../support/database.ts'

/** A service that is started and killed again and again on the same data. */
export interface Killable {
  /** Undefined where the database is embedded. */
  databaseUrl: string | undefined
  /** After the one before has ended, or beside it where the database is a server. */
  start(settings?: Record<string, string>): Promise<ServiceProcess>
  /** What is in the database; an embedded one only while no service runs. */
  look<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** Kills what runs, and removes its data. */
  remove(): Promise<void>
}

/** @param name of the folder of its data */
export async function newKillable(name: string): Promise<Killable> {
  const dataDir = mkdtempSync(join(tmpdir(), `memory-${name}-`))
  const server = await newDatabase()
  const settings: Record<string, string> =
    server === undefined ? {} : { DATABASE_URL: server.url, MEMORY_BOOTSTRAP: 'on' }
  let service: ServiceProcess | undefined
  return {
    databaseUrl: server?.url,
    start: async (more = {}) => {
      service = await startService(dataDir, { ...settings, ...more })
      return service
    },
    look: async (work) => {
      const database =
        server === undefined
          ? await openEmbedded(join(dataDir, 'database'))
          : openPostgres(server.url, 1, silent)
      try {
        return await work(database)
      } finally {
        await database.close()
      }
    },
    remove: async () => {
      await service?.stop('SIGKILL')
      await server?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
