import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '@memory/api/app'
import { type Context, createContext } from '@memory/api/context'
import { createApiServer } from '@memory/api/http/server'
import { HashThreads } from '@memory/api/pool/hash-threads'
import { createKey } from '@memory/identity/keys/service'
import { createOrganization } from '@memory/identity/organizations/service'
import type { SubjectBinding } from '@memory/shared/catalogue/operation'
import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Scope } from '@memory/shared/catalogue/scopes'
import type { Clock } from '@memory/shared/platform/clock'
import { readConfig } from '@memory/shared/platform/config'
import { addressOf, listen } from '@memory/shared/platform/http-server'
import { createLog } from '@memory/shared/platform/log'
import { Client } from './client.ts'
import { newDatabase } from './database.ts'
import { lendDatabase } from './lent-databases.ts'
import { type ReceivedMail, readMails, relayAll } from './mails.ts'
import { testMasterKey } from './master-key.ts'
import { plant } from './plant.ts'
import { sharedThreads } from './shared-threads.ts'

/** A running service, and what it works with. */
export interface TestServer {
  url: string
  context: Context
  clock: TestClock
  /** For further instances of the service over the same database; undefined where that is embedded. */
  databaseUrl: string | undefined
  /** Everything that was logged, one JSON text a line. */
  logLines: string[]
  /** A client of a new organization. */
  newClient(options?: ClientOptions): Promise<Client>
  /** Does the background work that is due. @returns every mail that was sent, newest last */
  mails(): Promise<ReceivedMail[]>
  close(): Promise<void>
}

export interface ClientOptions {
  plan?: PlanName
  scopes?: Scope[] | null
  environment?: 'live' | 'test'
  /** An organization that is there already. */
  organizationId?: string
  /** The end user that the key is bound to. */
  subject?: SubjectBinding
}

/** Passwords are hashed at little cost, so that tests may make many users, on one thread for all services of a process. */
const passwords = {
  cost: { memoryKiB: 256, passes: 1, lanes: 1 },
  derive: new HashThreads(1).derive,
}

/** A clock that tests move; it starts at the real time. */
export class TestClock implements Clock {
  #ahead = 0

  now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  advance(ms: number): void {
    this.#ahead += ms
  }
}

/**
 * Starts the real service in this process, listening on a free port, with a database of its own: on the server that
 * TEST_DATABASE_URL names, else embedded, in the data folder where MEMORY_DATA_DIR names one and otherwise lent
 * (`lendDatabase`). With a DATABASE_URL it is one more instance over the database of another.
 */
export async function startServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-test-'))
  const database = settings.DATABASE_URL === undefined ? await newDatabase() : undefined
  const databaseUrl = database?.url ?? settings.DATABASE_URL
  const config = readConfig({
    MEMORY_DATA_DIR: folder,
    MEMORY_POOL_THREADS: '1',
    LOG_LEVEL: 'info',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, MASTER_KEY: testMasterKey }),
    ...settings,
  })
  const embedded = join(config.dataDir, 'database')
  // A database in a folder that was named must be found there again.
  const isLent = databaseUrl === undefined && settings.MEMORY_DATA_DIR === undefined
  if (databaseUrl === undefined && !isLent && !existsSync(embedded)) plant(embedded)
  const logLines: string[] = []
  const clock = new TestClock()
  const makeLog = (level: string) => createLog(level, { write: (line) => void logLines.push(line) })
  const context = await createContext(config, makeLog, clock, {
    passwords,
    startThreads: sharedThreads,
    ...(isLent && { openDatabase: lendDatabase }),
  })
  const server: Server = await listen(createApiServer(createApp(context)), 0, '127.0.0.1', 'PORT')
  const { port } = addressOf(server)
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    context,
    clock,
    databaseUrl,
    logLines,
    newClient: async ({
      plan = 'enterprise',
      scopes = null,
      environment = 'live',
      organizationId,
      subject,
    } = {}) => {
      const { queries } = context.database
      const owner = organizationId ?? (await createOrganization(queries, 'Test', plan))
      const { key, listed } = await createKey(queries, owner, {
        name: 'test',
        environment,
        scopes,
        expiresAt: null,
        subject,
      })
      return new Client(url, { key, keyId: listed.id, organizationId: owner })
    },
    mails: async () => {
      await relayAll({ ...context, secrets: context.accounts.secrets })
      return readMails(join(folder, 'outbox'))
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await context.close()
      await database?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
