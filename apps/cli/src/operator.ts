import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from '@memory/shared/platform/config'
import { DataDirectoryTaken } from '@memory/shared/platform/data-directory'
import type { Database } from '@memory/shared/platform/database/database'
import { openDataDirectory } from '@memory/shared/platform/database/embedded'
import { openPostgres, requireUsable } from '@memory/shared/platform/database/postgres'
import { requireRowLevelSecurity } from '@memory/shared/platform/database/privileges'
import { createLog } from '@memory/shared/platform/log'
import { Failure } from './command.ts'

/** The settings of an operator's command. @throws Failure for one that is wrong */
export function readSettings(variables: Record<string, string | undefined>): Config {
  try {
    return readConfig(variables)
  } catch (error) {
    throw error instanceof ConfigError ? new Failure(error.message) : error
  }
}

/**
 * Does `work` on the database; or, when a running service holds the embedded one, sends it the request.
 * @param path of the operators' listener
 */
export async function operate<Answer>(
  config: Config,
  path: '/ops/keys' | '/ops/accounts' | '/ops/users',
  request: object,
  work: (database: Database) => Promise<Answer>,
): Promise<Answer> {
  try {
    const database = await openDatabase(config)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof DataDirectoryTaken) return askRunningService<Answer>(config.dataDir, path, request)
    if (error instanceof ConfigError) throw new Failure(error.message)
    throw error
  }
}

/** @throws ConfigError */
export async function openDatabase(config: Config): Promise<Database> {
  if (config.database.url === undefined) return openDataDirectory(config.dataDir)
  const database = openPostgres(config.database.url, 1, createLog('warn'))
  try {
    await requireUsable(requireRowLevelSecurity(database.queries))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function askRunningService<Answer>(dataDir: string, path: string, request: object): Promise<Answer> {
  const { url, token } = readOperatorFile(join(dataDir, 'operator.json'))
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  })
  const body = (await response.json()) as Answer & { detail?: string }
  if (!response.ok) throw new Failure(`The running service refused: ${body.detail}`)
  return body
}

function readOperatorFile(file: string): { url: string; token: string } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { url: string; token: string }
  } catch {
    throw new Failure(
      'The service is running without its operators’ listener: stop it, or start it with OPS_PORT set to a port.',
    )
  }
}
