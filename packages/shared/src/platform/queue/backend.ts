import {
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  type Processor,
  Queue,
  type QueueOptions,
  Worker,
  type WorkerOptions,
} from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import type { QueueName } from '../../catalogue/jobs.ts'
import type { QueuePool } from '../database/queue-pool.ts'

export type AnyQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend>
export type AnyWorker = Worker<unknown, unknown, string, IQueueBackend>
export type AnyProcessor = Processor<unknown, unknown, string>

/** Where jobs are kept. What it makes shares its connections. */
export interface QueueBackend {
  queue(name: QueueName, options: Omit<QueueOptions, 'connection'>): AnyQueue
  worker(name: QueueName, processor: AnyProcessor, options: Omit<WorkerOptions, 'connection'>): AnyWorker
  /**
   * Comes before the first queue: what the library makes while a database is away stays useless for ever.
   * @throws when it is away; Redis may be
   */
  ready(): Promise<void>
  /** @throws when it does not answer */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Every key of ours in Redis begins with it. */
export const redisPrefix = 'memory'

/** Whoever waits for Redis gives up early; workers try for ever. */
const redisOptions: RedisOptions = {
  connectTimeout: 2_000,
  maxRetriesPerRequest: 1,
  retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
}

export interface RedisEvents {
  onError(error: Error): void
  onReady(): void
}

export function redisBackend(url: string, prefix: string, events: RedisEvents): QueueBackend {
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
    ping: async () => void (await own.ping()),
    close: async () => {
      own.disconnect()
      ofWorkers?.disconnect()
    },
  }
}

export function databaseBackend(pool: QueuePool): QueueBackend {
  const ping = async () => void (await pool.query('select 1'))
  return {
    queue: (name, options) =>
      new Queue(name, { ...options, connection: pool }, createPostgresBackend) as unknown as AnyQueue,
    worker: (name, processor, options) =>
      new Worker(
        name,
        processor,
        { ...options, connection: pool },
        createPostgresBackend,
      ) as unknown as AnyWorker,
    ready: ping,
    ping,
    close: () => pool.end(),
  }
}
