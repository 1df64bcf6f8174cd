import type { Config } from './config.ts'
import { requireDataDirectory } from './data-directory.ts'

/**
 * Checks the data directory and Redis when a process starts, before it changes anything in the database.
 * @returns warnings for the log
 * @throws ConfigError when one of them can't be used
 */
export async function requireSurroundings({ database, dataDir, redisUrl }: Config): Promise<string[]> {
  // With the embedded database, opening it locks the directory and checks it then.
  if (database.url !== undefined) requireDataDirectory(dataDir)
  if (redisUrl === undefined) return []
  const { requireRedis } = await import('./queue/redis-backend.ts')
  return requireRedis(redisUrl)
}
