import type { Config } from './config.ts'
import { requireDataDirectory } from './data-directory.ts'

/**
 * Makes sure of what a process needs beside its database, before it changes anything there.
 * @returns what is to be warned of
 * @throws ConfigError
 */
export async function requireSurroundings({ database, dataDir, redisUrl }: Config): Promise<string[]> {
  // The embedded database takes the directory for itself.
  if (database.url !== undefined) requireDataDirectory(dataDir)
  if (redisUrl === undefined) return []
  const { requireRedis } = await import('./queue/redis-backend.ts')
  return requireRedis(redisUrl)
}
