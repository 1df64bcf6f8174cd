import { randomUUID } from 'node:crypto'
import { JobQueue } from '@memory/shared/platform/queue/queue'
import type { Timing } from '@memory/shared/platform/queue/timing'
import { Redis } from 'ioredis'
import { openTestDatabase, silent } from '../open-database.ts'

/** Tests of Redis use it with a prefix of their own. */
export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

export const hasRedis = await new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null })
  .on('error', () => {})
  .connect()
  .then(
    () => true,
    () => false,
  )

/** Production's, in a hurry. */
export const hurried: Timing = {
  lockMs: 2_000,
  stalledEveryMs: 300,
  drainMs: 2_000,
  schedulesEveryMs: 200,
  retryMs: 200,
}

/** A place for jobs, empty at first. */
export interface Backend {
  open(timing?: Partial<Timing>): JobQueue
  /** Loses every job, as FLUSHALL does. */
  empty(): Promise<void>
  close(): Promise<void>
}

/** The database is embedded, or on the server of TEST_DATABASE_URL. */
export async function databaseBackend(): Promise<Backend> {
  const database = await openTestDatabase()
  const opened: JobQueue[] = []
  const open: Backend['open'] = (timing) => {
    const queue = new JobQueue({
      redisUrl: undefined,
      database,
      log: silent,
      timing: { ...hurried, ...timing },
    })
    opened.push(queue)
    return queue
  }
  return {
    open,
    empty: async () => {
      const pool = database.openQueuePool(1)
      for (const table of ['job', 'scheduler', 'dedup', 'meta', 'metrics']) {
        await pool.query(`delete from bullmq.${table}`)
      }
      await pool.end()
    },
    close: async () => {
      await Promise.all(opened.map((queue) => queue.close()))
      await database.close()
    },
  }
}

export async function redisBackend(): Promise<Backend> {
  const database = await openTestDatabase()
  const prefix = `test-${randomUUID()}`
  const redis = new Redis(redisUrl)
  const opened: JobQueue[] = []
  const empty = async () => {
    const keys = await redis.keys(`${prefix}:*`)
    if (keys.length > 0) await redis.del(keys)
  }
  return {
    open: (timing) => {
      const queue = new JobQueue({
        redisUrl,
        database,
        log: silent,
        prefix,
        timing: { ...hurried, ...timing },
      })
      opened.push(queue)
      return queue
    },
    empty,
    close: async () => {
      await Promise.all(opened.map((queue) => queue.close()))
      await empty()
      redis.disconnect()
      await database.close()
    },
  }
}
