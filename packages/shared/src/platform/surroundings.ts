import type { Config } from './config.ts'
import { requireDataDirectory } from './data-directory.ts'

/**
 * Checks the data directory and Redis when a process starts, before it changes anything in the database.
 * @returns warnings for the log, also of variables that have no effect
 * @throws ConfigError when one of them can't be used
 */
export async function requireSurroundings({
  unknown,
  database,
  dataDir,
  redisUrl,
}: Config): Promise<string[]> {
  const warnings = unknown.length === 0 ? [] : [`${unknown.join(', ')} is set, and no setting is called so.`]
  // With the embedded database, opening it locks the directory and checks it then.
  if (database.url !== undefined) requireDataDirectory(dataDir)
  if (redisUrl === undefined) return warnings
  const { requireRedis } = await import('./queue/redis-backend.ts')
  return [...warnings, ...(await requireRedis(redisUrl))]
}
