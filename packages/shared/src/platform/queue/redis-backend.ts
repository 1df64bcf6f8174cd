import { createRedisBackend, Queue, Worker } from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import { ConfigError } from '../config.ts'
import type { AnyWorker, QueueBackend } from './backend.ts'

/** Every key of ours begins with it. */
const ownPrefix = 'memory'

/** Whoever waits for Redis gives up early; workers try for ever. */
const redisOptions: RedisOptions = {
  connectTimeout: 2_000,
  maxRetriesPerRequest: 1,
  retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
}

/** How long a process that starts waits for Redis. */
const startMs = 5_000

export interface RedisEvents {
  onError(error: Error): void
  onReady(): void
}

/** Jobs in a Redis, which may be away at any time. */
export function redisBackend(
  url: string,
  givenPrefix: string | undefined,
  events: RedisEvents,
): QueueBackend {
  const prefix = givenPrefix ?? ownPrefix
  const connect = (options: RedisOptions) => {
    const redis = new Redis(url, { ...redisOptions, ...options })
    redis.on('error', events.onError)
    redis.on('ready', events.onReady)
    return redis
  }
  const own = connect({})
  let ofWorkers: Redis | undefined
  return {
    queue: (name, options) => new Queue(name, { ...options, prefix, connection: own }, createRedisBackend),
    worker: (name, processor, options) => {
      ofWorkers ??= connect({ maxRetriesPerRequest: null })
      return new Worker(
        name,
        processor,
        { ...options, prefix, connection: ofWorkers },
        createRedisBackend,
      ) as unknown as AnyWorker
    },
    ready: async () => {},
    // Each step is a script of Redis, which runs one at a time.
    alone: (_, work) => work(),
    ping: async () => void (await own.ping()),
    close: async () => {
      own.disconnect()
      ofWorkers?.disconnect()
    },
  }
}

/**
 * Makes sure of Redis when a process starts: a wrong address would look like one that is away for a while, for ever.
 * @throws ConfigError when the Redis of REDIS_URL does not take commands
 */
export async function requireRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: startMs, retryStrategy: () => null })
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

/** What a Redis is, and what it does when its memory is full. @throws where it does not answer */
export async function inspectRedis(url: string): Promise<{ version: string; policy: string }> {
  const redis = new Redis(url, { ...redisOptions, lazyConnect: true, retryStrategy: () => null })
  // The one that is asked says what went wrong.
  redis.on('error', () => {})
  try {
    await redis.connect()
    const info = await redis.info()
    const read = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
    return { version: read('redis_version'), policy: read('maxmemory_policy') }
  } finally {
    redis.disconnect()
  }
}
