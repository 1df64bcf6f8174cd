import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { UserRefused } from '@memory/identity/accounts/operator'
import { KeyRefused } from '@memory/identity/keys/service'
import { type Config, ConfigError, databaseOf, readConfig } from '@memory/shared/platform/config'
import {
  type DataDirectory,
  DataDirectoryTaken,
  takeDataDirectory,
} from '@memory/shared/platform/data-directory'
import type { Database } from '@memory/shared/platform/database/database'
import { openDataDirectory } from '@memory/shared/platform/database/embedded'
import { openPostgres, requireMigrated, requireUsable } from '@memory/shared/platform/database/postgres'
import { requireRowLevelSecurity } from '@memory/shared/platform/database/privileges'
import { createLog } from '@memory/shared/platform/log'
import { readLines } from '@memory/shared/transfer/lines'
import { Failure, operatorWork } from './command.ts'

/** The settings of an operator's command. @throws Failure for one that is wrong */
export function readSettings(variables: Record<string, string | undefined>): Config {
  try {
    return readConfig(variables)
  } catch (error) {
    throw error instanceof ConfigError ? new Failure(error.message) : error
  }
}

/** Sends one operator's request and returns its answer. */
export type Ask<Request, Answer> = (request: Request) => Promise<Answer>

/**
 * Does an operator's work on the configured database, and writes to standard error which one that is. If a service is running
 * in the data directory, the requests go to that; otherwise they are done directly on the database. Never creates a database,
 * since that would not be the one that the service works on.
 * @param path the request's path on the operators' listener
 * @param perform does a request directly on the database
 * @param work sends one request or several
 * @throws Failure, also for what `perform` refuses
 */
export async function operate<Request extends object, Answer, Result>(
  config: Config,
  path: '/ops/keys' | '/ops/accounts' | '/ops/users' | '/ops/lists',
  perform: (database: Database, request: Request) => Promise<Answer>,
  work: (ask: Ask<Request, Answer>) => Promise<Result>,
): Promise<Result> {
  const service = config.database.url === undefined ? await findRunningService(config.dataDir) : undefined
  if (service !== undefined) {
    sayDatabase(`${service.database}, through the service that runs`)
    return work((request) => askRunningService<Answer>(service, path, request))
  }
  const database = await openExisting(config).catch(explainTaken)
  try {
    sayDatabase(databaseOf(config))
    return await work((request) => perform(database, request))
  } catch (error) {
    const isRefused = error instanceof KeyRefused || error instanceof UserRefused
    throw isRefused ? new Failure(error.message) : error
  } finally {
    await database.close()
  }
}

/** Replaces the error of a data directory in use by one that says why its service was not asked. @throws always */
function explainTaken(error: unknown): never {
  const taken = [error, (error as Error).cause].find((each) => each instanceof DataDirectoryTaken)
  if (taken === undefined || taken.host !== undefined) throw error
  throw new Failure(
    `The data directory ${taken.path} is in use by process ${taken.pid}, which takes no commands: stop it, or start it with OPS_PORT set to a port.`,
  )
}

/** Locks a data directory in which no running service was found. @throws Failure, ConfigError */
export function takeUnserved(dataDir: string): DataDirectory {
  try {
    return takeDataDirectory(dataDir)
  } catch (error) {
    return explainTaken(error)
  }
}

/** Whether a process is using a data directory, or may be when that is unknown. Does not create the directory. */
export function isInUse(dataDir: string): boolean {
  if (!existsSync(join(dataDir, 'memory.lock'))) return false
  try {
    takeDataDirectory(dataDir).release()
    return false
  } catch (error) {
    if (error instanceof ConfigError) return true
    throw error
  }
}

/** Writes to standard error, since standard output is for the result. */
export function sayDatabase(description: string): void {
  console.error(`Database: ${description}`)
}

/**
 * Opens the configured database, which must exist already.
 * @throws Failure
 */
export function openExisting(config: Config): Promise<Database> {
  return operatorWork(async () => {
    if (config.database.url !== undefined) return openExistingPostgres(config.database.url)
    const folder = resolve(config.dataDir)
    if (!(await hasFiles(join(folder, 'database')))) {
      throw new Failure(
        `There is no database in ${folder}: set DATABASE_URL, or MEMORY_DATA_DIR, as the service has it, or start the service once with npm start.`,
      )
    }
    return openDataDirectory(config.dataDir)
  })
}

async function openExistingPostgres(url: string): Promise<Database> {
  await requireMigrated(url)
  const database = openPostgres(url, 1, createLog('warn'))
  try {
    await requireUsable(requireRowLevelSecurity(database.queries))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function hasFiles(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new Failure(`${folder} can't be read (${error.code}).`)
  })
  return names.length > 0
}

/** How to reach the service that is running in a data directory. */
interface RunningService {
  url: string
  token: string
  /** The database that it works on, described for a person. */
  database: string
}

/** The service must answer within this time to be found. */
const findMs = 5_000

/** The running service whose address is in a data directory; undefined when it has ended or has no operators' listener. */
export async function findRunningService(dataDir: string): Promise<RunningService | undefined> {
  try {
    const { url, token } = JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
    const response = await post(`${url}/ops/database`, token, {}, AbortSignal.timeout(findMs))
    const { database } = await response.json()
    return response.ok && typeof database === 'string' ? { url, token, database } : undefined
  } catch {
    // A killed service leaves its file behind, and another program may use its port by now.
    return undefined
  }
}

/** Sends a request to a running service. @param path on its operators' listener @throws Failure */
export function askRunningService<Answer>(
  service: RunningService,
  path: string,
  request: object,
): Promise<Answer> {
  return withService(service, path, request, async (response) => (await response.json()) as Answer)
}

/**
 * Sends a running service a request for long work. It answers with lines of JSON: progress, and a last one when it is done.
 * @param onLine called with each line of progress
 * @throws Failure
 */
export function followRunningService<Line extends object>(
  service: RunningService,
  path: string,
  request: object,
  onLine: (line: Line) => void,
): Promise<void> {
  return withService(service, path, request, async ({ body }) => {
    for await (const { bytes } of readLines(body as unknown as AsyncIterable<Buffer>)) {
      const line = JSON.parse(new TextDecoder().decode(bytes)) as Line & { done?: boolean; detail?: string }
      if (line.done) return
      if (line.detail !== undefined) throw refused(line.detail)
      onLine(line)
    }
    throw new Error('The answer ended in the middle.')
  })
}

async function withService<Answer>(
  { url, token }: RunningService,
  path: string,
  request: object,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  try {
    const response = await post(url + path, token, request)
    if (response.status === 503)
      throw new Failure(
        'The running service could not do it now. See what npm run doctor finds, and try again.',
      )
    if (!response.ok) throw refused(((await response.json()) as { detail?: string }).detail)
    return await read(response)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('The service ended while it was asked: see whether it was done, and try again.', {
      cause: error,
    })
  }
}

const refused = (detail: string | undefined) => new Failure(`The running service refused: ${detail}`)

function post(url: string, token: string, request: object, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
    ...(signal && { signal }),
  })
}
