import { createRedisBackend, Queue, Worker } from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import { ConfigError } from '../config.ts'
import { within } from '../within.ts'
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
/** How long whoever only wants to know of it does. */
const lookMs = 2_000

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
  /**
   * The library would look at each connection's Redis and print what it minds, as text, into the log; `requireRedis` looks
   * once. Without its look it waits for jobs in whole seconds, so one that is put off may be up to a second late.
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
 * @returns what is to be warned of: with these it works, for now
 * @throws ConfigError when the Redis of REDIS_URL does not take commands
 */
export async function requireRedis(url: string): Promise<string[]> {
  try {
    return await asking(url, startMs, async (redis) => {
      // While it reads its data it takes no commands yet, and is waited for by whoever has any.
      await redis.ping().catch((error: Error) => {
        if (!error.message.startsWith('LOADING')) throw error
      })
      return redis.info().then(
        (info) => warningsOf(factsIn(info)),
        // Whoever may not ask what it is may use it all the same.
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
 * Asks a Redis over a connection of its own. `withinMs` is for all of it: one that stands still takes connections and
 * commands as ever, and the client would wait for its answers for ever.
 */
async function asking<T>(url: string, withinMs: number, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, {
    ...{ lazyConnect: true, connectTimeout: withinMs, retryStrategy: () => null },
    // The client's own check waits for as long as it is loading.
    enableReadyCheck: false,
  })
  // The client tells of a lost connection by an event alone, and its commands fail with less than that.
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
    // One that has no database of the number in the address answers all the same, out of its first.
    if (cause !== undefined) throw cause
    return answer
  } catch (error) {
    throw cause ?? error
  } finally {
    redis.disconnect()
  }
}

/** What a Redis is, and what it does when its memory is full. */
export interface RedisFacts {
  version: string
  policy: string
}

/** The first version that the job queue works with. */
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
