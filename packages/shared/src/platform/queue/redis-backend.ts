import { createRedisBackend, Queue, Worker } from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import { ConfigError } from '../config.ts'
import { within } from '../within.ts'
import type { AnyWorker, QueueBackend } from './backend.ts'

/** The default prefix of all our keys. */
const ownPrefix = 'memory'

/** Commands give up early, so that callers need not wait; workers override this and retry for ever. */
const redisOptions: RedisOptions = {
  connectTimeout: 2_000,
  maxRetriesPerRequest: 1,
  retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
}

/** How long the start of a process waits for Redis. */
const startMs = 5_000
/** How long a mere check of Redis waits. */
const lookMs = 2_000

export interface RedisEvents {
  onError(error: Error): void
  onReady(): void
}

/** Stores jobs in Redis, which may be unavailable at any time. */
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
  /**
   * Skips the library's check of each connection's Redis, which prints its warnings as plain text into the log; `requireRedis`
   * checks once instead. Without that check the library waits for jobs in whole seconds, so delayed jobs may be a second late.
   */
  const ours = (connection: Redis) => ({ prefix, connection, skipVersionCheck: true })
  const own = connect({})
  let ofWorkers: Redis | undefined
  return {
    queue: (name, options) => new Queue(name, { ...options, ...ours(own) }, createRedisBackend),
    worker: (name, processor, options) => {
      ofWorkers ??= connect({ maxRetriesPerRequest: null })
      return new Worker(
        name,
        processor,
        { ...options, ...ours(ofWorkers) },
        createRedisBackend,
      ) as unknown as AnyWorker
    },
    ready: async () => {},
    // In Redis each step of the queue is a script, and scripts never interleave.
    alone: (_, work) => work(),
    ping: async () => void (await own.ping()),
    close: async () => {
      own.disconnect()
      ofWorkers?.disconnect()
    },
  }
}

/**
 * Checks Redis when a process starts, since later a wrong address would look like a Redis that is temporarily unavailable.
 * @returns warnings about settings with which the queue works for now, but may lose jobs
 * @throws ConfigError when the Redis of REDIS_URL does not take commands
 */
export async function requireRedis(url: string): Promise<string[]> {
  try {
    return await asking(url, startMs, async (redis) => {
      // A Redis that is still loading its data is fine: commands will wait for it.
      await redis.ping().catch((error: Error) => {
        if (!error.message.startsWith('LOADING')) throw error
      })
      return redis.info().then(
        (info) => warningsOf(factsIn(info)),
        // A user without the right to INFO can use Redis nevertheless.
        (error: Error) => [
          `Redis does not say what it is (${error.message}), so that its settings could not be checked.`,
        ],
      )
    })
  } catch (error) {
    const { message } = error as Error
    throw new ConfigError(
      `Redis at REDIS_URL can't be used (${message.replace(/\.$/, '')}): start it, mend the address, or take REDIS_URL away to keep jobs in the database.`,
    )
  }
}

/**
 * Asks a Redis over a separate connection. `withinMs` limits the whole exchange: a Redis that hangs still accepts connections and
 * commands, and the client would wait for its answers for ever.
 */
async function asking<T>(url: string, withinMs: number, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, {
    ...{ lazyConnect: true, connectTimeout: withinMs, retryStrategy: () => null },
    // The client's own check would wait until the Redis has loaded its data.
    enableReadyCheck: false,
  })
  // The client reports the cause of a lost connection only by an event; its commands fail with less information.
  let cause: Error | undefined
  redis.on('error', (error: Error) => {
    cause = error
  })
  try {
    const asked = redis.connect().then(() => ask(redis))
    const answer = await within(
      asked,
      withinMs,
      () => new Error(`it did not answer within ${withinMs / 1_000} s`),
    )
    // A Redis without the database number in the URL reports an error, but still answers, from database 0.
    if (cause !== undefined) throw cause
    return answer
  } catch (error) {
    throw cause ?? error
  } finally {
    redis.disconnect()
  }
}

/** The version of a Redis, and its eviction policy (`maxmemory-policy`). */
export interface RedisFacts {
  version: string
  policy: string
}

/** The oldest version that the job queue works with. */
export const redisLeast = [6, 2] as const

export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < redisLeast[0] || (major === redisLeast[0] && minor < redisLeast[1])
}

function warningsOf({ version, policy }: RedisFacts): string[] {
  const warnings: string[] = []
  if (isTooOld(version)) {
    warnings.push(`Redis ${version} is too old for the job queue: install ${redisLeast.join('.')} or later.`)
  }
  // One that shows no policy may be one that forgets nothing.
  if (policy !== '' && policy !== 'noeviction') {
    warnings.push(
      `Redis forgets jobs when its memory is full (${policy}): set maxmemory-policy noeviction in its configuration.`,
    )
  }
  return warnings
}

/** Read from what Redis answers to INFO. */
function factsIn(info: string): RedisFacts {
  const read = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  return { version: read('redis_version'), policy: read('maxmemory_policy') }
}

/** Asks a Redis what it is. @throws where it does not answer in time */
export function inspectRedis(url: string): Promise<RedisFacts> {
  return asking(url, lookMs, async (redis) => factsIn(await redis.info()))
}
