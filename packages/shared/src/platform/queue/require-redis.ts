import { Redis } from 'ioredis'
import { ConfigError } from '../config.ts'

const waitMs = 5_000

/**
 * Makes sure of Redis when a process starts: a wrong address would look like one that is away for a while, for ever.
 * @throws ConfigError when the Redis of REDIS_URL does not take commands
 */
export async function requireRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: waitMs, retryStrategy: () => null })
  // The client tells of a lost connection by an event alone, and its commands fail with less than that.
  let cause: Error | undefined
  redis.on('error', (error: Error) => {
    cause = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    const { message } = cause ?? (error as Error)
    throw new ConfigError(
      `Redis at REDIS_URL can't be used (${message.replace(/\.$/, '')}): start it, mend the address, or take REDIS_URL away to keep jobs in the database.`,
    )
  } finally {
    redis.disconnect()
  }
}
