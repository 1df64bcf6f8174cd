import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  type JobPayload,
  type JobType,
  jobDefinition,
  jobs,
  type QueueName,
  queueNames,
} from '../../catalogue/jobs.ts'
import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { within } from '../within.ts'
import type { AnyQueue, QueueBackend } from './backend.ts'
import { jobOptions } from './job-options.ts'
import { failedJob, type JobState, jobStates, jobsOf, type KeptJob, withFailedJob } from './kept-jobs.ts'
import { type Timing, timing } from './timing.ts'
import type { QueueWorkers, WorkOptions } from './workers.ts'

export interface QueueSettings {
  /** Undefined: jobs are stored in the database. */
  redisUrl: string | undefined
  database: Database
  log: Log
  /** The prefix of all keys in Redis; installations that share a Redis need different ones. */
  prefix?: string
  timing?: Timing
}

export interface AddOptions {
  /** A key: while a job of this type with the same key waits or runs, no other is added. */
  once?: string
  /** The job's id: while a job with it is stored, finished or not, no other is added. Must not be a number or contain colons. */
  id?: string
  delayMs?: number
}

/** The numbers of jobs of a queue by state. Of finished jobs only the latest are kept, and counted. */
export type JobCounts = Record<JobState, number>

/** Connections to PostgreSQL that a process has for its queues, besides one for notifications. */
const poolConnections = 4
/** How long a worker waits before it tries again to open the queue. */
const reopenMs = 2_000
/** A queue that does not answer within this time counts as unavailable. */
const patienceMs = 2_000
/** The same for `ping`: readiness has to answer within a second. */
const pingMs = 500

/**
 * The job queue, stored in the Redis of REDIS_URL or else in the database. It is opened when it is first used. Any number of
 * processes may add jobs to it and work on it.
 */
export class JobQueue {
  readonly kind: 'redis' | Database['kind']
  readonly #settings: QueueSettings
  readonly #queues = new Map<QueueName, Promise<AnyQueue>>()
  #backend: Promise<QueueBackend> | undefined
  #closing: Promise<void> | undefined
  #isAnswering = true

  constructor(settings: QueueSettings) {
    this.#settings = settings
    this.kind = settings.redisUrl === undefined ? settings.database.kind : 'redis'
  }

  /**
   * Adds a job.
   * @returns its id, or that of the existing job (see `AddOptions`)
   * @throws when the payload is not valid for the type, or the queue is unavailable
   */
  async add<Type extends JobType>(
    type: Type,
    payload: JobPayload<Type>,
    { once, id, delayMs }: AddOptions = {},
  ): Promise<string> {
    const definition = jobDefinition(type)
    const data = jobs[type].payload.parse(payload)
    const queue = await this.queue(definition.queue)
    const job = await this.#inTime(
      queue.add(type, data, {
        ...jobOptions(definition),
        // Without an id the library would number jobs, for which it needs the right to create sequences.
        jobId: id ?? randomUUID(),
        ...(delayMs === undefined ? {} : { delay: delayMs }),
        ...(once === undefined ? {} : { deduplication: { id: `${type}_${once}` } }),
      }),
    )
    return job.id ?? ''
  }

  /**
   * Starts workers for all queues, as soon as these can be opened.
   * @throws AbortError when the signal fires before that
   */
  async work(options: WorkOptions): Promise<QueueWorkers> {
    const { log, timing: own = timing } = this.#settings
    for (;;) {
      try {
        const backend = await this.#open()
        const queues = await Promise.all(queueNames.map((name) => this.queue(name)))
        const { QueueWorkers } = await import('./workers.ts')
        return new QueueWorkers({ backend, queues, log, timing: own, ...options })
      } catch (error) {
        log.warn({ err: error }, 'job queue not opened')
        await setTimeout(reopenMs, undefined, { signal: options.signal })
      }
    }
  }

  /** How many jobs each queue has in each state. */
  async counts(): Promise<Record<QueueName, JobCounts>> {
    const each = await this.#inTime(
      Promise.all(
        queueNames.map(async (name) => {
          const queue = await this.queue(name)
          return [name, (await queue.getJobCounts(...jobStates)) as JobCounts] as const
        }),
      ),
    )
    return Object.fromEntries(each) as Record<QueueName, JobCounts>
  }

  /**
   * How many jobs of each queue have ever been completed or have failed, in all processes. A job and its count are not updated in
   * one step, so killed workers may leave some uncounted.
   */
  async totals(): Promise<Record<QueueName, { completed: number; failed: number }>> {
    const each = await this.#inTime(
      Promise.all(
        queueNames.map(async (name) => {
          const queue = await this.queue(name)
          const [completed, failed] = await Promise.all([
            queue.getMetrics('completed', 0, 0),
            queue.getMetrics('failed', 0, 0),
          ])
          return [name, { completed: completed.meta.count, failed: failed.meta.count }] as const
        }),
      ),
    )
    return Object.fromEntries(each) as Record<QueueName, { completed: number; failed: number }>
  }

  /** A range of the jobs of a queue in a state; undefined for a job that was removed meanwhile. */
  async jobs(
    name: QueueName,
    state: JobState,
    range: { from: number; count: number },
  ): Promise<(KeptJob | undefined)[]> {
    return this.#inTime(this.queue(name).then((queue) => jobsOf(queue, state, range)))
  }

  /** @returns the name of a failed job @throws JobRefused */
  async nameOfFailed(name: QueueName, id: string): Promise<string> {
    return this.#inTime(this.queue(name).then(async (queue) => (await failedJob(queue, id)).name))
  }

  /** Puts a failed job back into the queue, with as many attempts as a new one. @throws JobRefused */
  async retry(name: QueueName, id: string): Promise<void> {
    const again = { resetAttemptsMade: true, resetAttemptsStarted: true }
    return this.#inTime(
      this.queue(name).then((queue) => withFailedJob(queue, id, (job) => job.retry('failed', again))),
    )
  }

  /** Removes a failed job. @throws JobRefused */
  async remove(name: QueueName, id: string): Promise<void> {
    return this.#inTime(this.queue(name).then((queue) => withFailedJob(queue, id, (job) => job.remove())))
  }

  /** @throws when the queue does not answer in time */
  async ping(): Promise<void> {
    const backend = await this.#open()
    await this.#inTime(backend.ping(), pingMs)
  }

  /** The library's queue object, also for the operators' page. */
  async queue(name: QueueName): Promise<AnyQueue> {
    let queue = this.#queues.get(name)
    if (queue === undefined) {
      queue = this.#make(name)
      this.#queues.set(name, queue)
      queue.catch(() => this.#queues.delete(name))
    }
    return queue
  }

  async #make(name: QueueName): Promise<AnyQueue> {
    const backend = await this.#open()
    await backend.ready()
    // Kept short, because nobody reads the library's stream of events.
    const queue = backend.queue(name, { streams: { events: { maxLen: 100 } } })
    queue.on('error', (error: Error) => this.#failed(error))
    return queue
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (this.#backend === undefined) return
    const backend = await this.#backend
    const queues = [...this.#queues.values()]
    await Promise.allSettled(
      queues.map(async (queue) => within((await queue).close(), patienceMs, () => new QueueSilent())),
    )
    await backend.close()
  }

  /** Opens the backend at its first use, since its libraries take 0.5 s to load. */
  #open(): Promise<QueueBackend> {
    this.#backend ??= this.#connect()
    return this.#backend
  }

  async #connect(): Promise<QueueBackend> {
    const { redisUrl, database, prefix } = this.#settings
    if (redisUrl === undefined) {
      const { databaseBackend } = await import('./database-backend.ts')
      return databaseBackend(database.openQueuePool(poolConnections))
    }
    const { redisBackend } = await import('./redis-backend.ts')
    return redisBackend(redisUrl, prefix, {
      onError: (error) => this.#failed(error),
      onReady: () => this.#answers(),
    })
  }

  /**
   * Waits for the queue, but no longer than `withinMs`. A Redis that hangs does not close its connections, so this is how it is
   * noticed that it does not answer, and that it answers again.
   * @throws QueueSilent
   */
  async #inTime<T>(work: Promise<T>, withinMs = patienceMs): Promise<T> {
    try {
      const answer = await within(work, withinMs, () => new QueueSilent())
      this.#answers()
      return answer
    } catch (error) {
      if (error instanceof QueueSilent) this.#failed(error)
      throw error
    }
  }

  /** Logs that the queue does not answer; only once, since every attempt to reconnect fails. */
  #failed(error: Error): void {
    if (this.#isAnswering) this.#settings.log.warn({ err: error }, 'job queue does not answer')
    this.#isAnswering = false
  }

  #answers(): void {
    if (!this.#isAnswering) this.#settings.log.info('job queue answers again')
    this.#isAnswering = true
  }
}

/** Thrown when the queue has not answered in time. What was asked of it may still be done. */
export class QueueSilent extends Error {
  override name = 'QueueSilent'

  constructor() {
    super('The job queue does not answer.')
  }
}
