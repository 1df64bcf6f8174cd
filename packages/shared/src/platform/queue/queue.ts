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
  /** Undefined: jobs are kept in the database. */
  redisUrl: string | undefined
  database: Database
  log: Log
  /** In front of every key in Redis: installations that share one need different ones. */
  prefix?: string
  timing?: Timing
}

export interface AddOptions {
  /** While a job of this type with the same key waits or runs, no other is added. */
  once?: string
  /** The job's own id: while one with it is known, finished or not, no other is added. No colons, not a number. */
  id?: string
  delayMs?: number
}

/** Jobs of a queue by state. What is finished is kept for operators, the latest of it only. */
export type JobCounts = Record<JobState, number>

/** Connections to PostgreSQL that a process keeps for its queues, beside one for notifications. */
const poolConnections = 4
const reopenMs = 2_000
/** Redis is gone for a caller after this. */
const patienceMs = 2_000
/** Who asks for readiness waits a second at most. */
const pingMs = 500

/**
 * The job queue: kept in Redis where REDIS_URL names one, else in the database. It is opened when it is first used;
 * any number of processes may add to it and work on it.
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
   * Hands a job over to the workers.
   * @returns its id, or that of the job that stands for it
   * @throws when the payload is not the type's, or the queue does not take it
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
        // The library's numbers would need rights to create sequences.
        jobId: id ?? randomUUID(),
        ...(delayMs === undefined ? {} : { delay: delayMs }),
        ...(once === undefined ? {} : { deduplication: { id: `${type}_${once}` } }),
      }),
    )
    return job.id ?? ''
  }

  /**
   * Begins to work on the queues, as soon as the database answers.
   * @throws AbortError when the signal fires before
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
   * How many jobs of each queue have ever been completed and have failed, by all workers. The databases count them
   * beside the job, not with it: where workers are killed they miss some.
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

  /** So many jobs of a queue in a state, from a place on; undefined stands for one that is gone meanwhile. */
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

  /** Lets workers do a failed job once more, as often as a new one. @throws JobRefused */
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

  /** The library's own object, for the operators' page. */
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
    // Nobody reads the library's stream of events.
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

  /** The libraries take 0.5 s to load: a start does not wait for them. */
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
   * Waits for the queue no longer than a caller does. A Redis that stands still breaks no connection: whoever asks finds out, and
   * finds out that it answers again.
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

  /** Each try to reconnect fails anew: one line says it. */
  #failed(error: Error): void {
    if (this.#isAnswering) this.#settings.log.warn({ err: error }, 'job queue does not answer')
    this.#isAnswering = false
  }

  #answers(): void {
    if (!this.#isAnswering) this.#settings.log.info('job queue answers again')
    this.#isAnswering = true
  }
}

/** Thrown where the queue has not answered in time: what was asked of it may be done yet. */
export class QueueSilent extends Error {
  override name = 'QueueSilent'

  constructor() {
    super('The job queue does not answer.')
  }
}
