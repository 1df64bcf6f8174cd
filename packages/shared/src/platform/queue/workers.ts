import { type Job, WaitingError } from 'bullmq'
import {
  isJobType,
  type JobType,
  jobDefinition,
  type QueueName,
  queueNames,
  queues as queueTable,
} from '../../catalogue/jobs.ts'
import { FailureLog } from '../failure-log.ts'
import type { Log } from '../log.ts'
import { every, type Periodic } from '../periodic.ts'
import { isOver } from '../within.ts'
import type { AnyQueue, AnyWorker, QueueBackend } from './backend.ts'
import { keepSchedules } from './schedules.ts'
import { stalledMax, type Timing } from './timing.ts'

/** A job that a worker is doing. */
export interface JobInHand {
  id: string
  type: JobType
  /** Validated by the type's schema. */
  payload: unknown
  /** The number of the attempt, from 1. A job whose worker died is done again, so its handler must be idempotent. */
  attempt: number
}

/** The outcome of one attempt at a job, for metrics. */
export interface JobOutcome {
  type: JobType
  queue: QueueName
  outcome: 'completed' | 'failed'
  seconds: number
}

export interface WorkOptions {
  /** Types of jobs that `handle` can do; their schedules are maintained. */
  types: readonly JobType[]
  handle(job: JobInHand): Promise<unknown>
  onOutcome?: ((outcome: JobOutcome) => void) | undefined
  /** Fires when the process is to end: a job that fails after that is handed back instead. */
  signal?: AbortSignal
}

interface Parts extends WorkOptions {
  backend: QueueBackend
  queues: AnyQueue[]
  log: Log
  timing: Timing
}

/** How long final messages to Redis or the database may take at a stop. */
const farewellMs = 2_000

/** The workers of one process, one per queue. */
export class QueueWorkers {
  readonly #parts: Parts
  readonly #workers: AnyWorker[]
  readonly #schedules: Periodic
  /** The first check of the schedules. */
  readonly #starting: Promise<void>
  /** Logs failures to get jobs once, since each try fails while the database or Redis is unavailable. */
  readonly #asking: FailureLog
  readonly #inHand = new Map<Job, string>()
  #stopping = false

  constructor(parts: Parts) {
    this.#parts = parts
    const { backend, log, timing } = parts
    this.#asking = new FailureLog(log, 'asking for jobs')
    this.#workers = queueNames.map((name) =>
      backend.worker(name, (job, token = '') => this.#process(job, token), {
        concurrency: queueTable[name].concurrency,
        lockDuration: timing.lockMs,
        stalledInterval: timing.stalledEveryMs,
        maxStalledCount: stalledMax,
        runRetryDelay: timing.retryMs,
        metrics: { maxDataPoints: 60 },
      }),
    )
    for (const worker of this.#workers) this.#watch(worker)
    const keep = () => this.#keepSchedules()
    this.#schedules = every(timing.schedulesEveryMs, 'keeping schedules', keep, log)
    this.#starting = keep().catch((error) => log.warn({ err: error }, 'keeping schedules failed'))
  }

  /** Takes no more jobs, waits for running ones, and hands back those that take too long. */
  async stop(): Promise<void> {
    this.#stopping = true
    // All are closed before anything is waited for: a job that ends meanwhile would otherwise be followed by the next.
    const workers = this.#workers.map((worker) => worker.close())
    const closing = Promise.all([this.#starting, this.#schedules.stop(), ...workers])
    // When no job is running, only Redis or the database can be what is waited for.
    const patienceMs = this.#inHand.size === 0 ? farewellMs : this.#parts.timing.drainMs
    if (await isOver(closing, patienceMs)) return
    const handingBack = Promise.allSettled([...this.#inHand].map(([job, token]) => job.moveToWait(token)))
    await isOver(handingBack, farewellMs)
    await isOver(Promise.all(this.#workers.map((worker) => worker.disconnect())), farewellMs / 2)
  }

  async #process(job: Job, token: string): Promise<unknown> {
    const { handle, onOutcome, signal, log } = this.#parts
    const { name } = job
    if (!isJobType(name)) throw new Error(`No job of this release has the type ${name}.`)
    const started = performance.now()
    const report = (outcome: JobOutcome['outcome']) =>
      onOutcome?.({
        type: name,
        queue: jobDefinition(name).queue,
        outcome,
        seconds: (performance.now() - started) / 1_000,
      })
    this.#inHand.set(job, token)
    try {
      const payload = jobDefinition(name).payload.parse(job.data)
      await handle({ id: job.id ?? '', type: name, payload, attempt: job.attemptsMade + 1 })
      report('completed')
    } catch (error) {
      if (signal?.aborted) {
        log.info({ job: name, jobId: job.id }, 'job handed back')
        await job.moveToWait(token)
        throw new WaitingError()
      }
      report('failed')
      throw error
    } finally {
      this.#inHand.delete(job)
    }
    return undefined
  }

  #watch(worker: AnyWorker): void {
    const { log } = this.#parts
    worker.on('failed', (job, error) =>
      log.error({ err: error, job: job?.name, jobId: job?.id, attempt: job?.attemptsMade }, 'job failed'),
    )
    worker.on('stalled', (jobId) =>
      log.warn({ queue: worker.name, jobId }, 'job of a worker that is gone taken back'),
    )
    worker.on('error', (error) => {
      if (!this.#stopping) this.#asking.failed(error)
    })
    worker.on('active', () => this.#asking.worked())
  }

  async #keepSchedules(): Promise<void> {
    const { backend, queues, types } = this.#parts
    // Workers that start at the same time would each add a turn, since in PostgreSQL none sees what another is adding.
    await backend.alone('keep-schedules', async () => {
      for (const queue of queues) await keepSchedules(queue, types, new Date())
    })
  }
}
