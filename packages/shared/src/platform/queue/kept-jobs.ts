import type { Job } from 'bullmq'
import type { AnyQueue } from './backend.ts'

/** The states of a job. */
export const jobStates = ['waiting', 'active', 'delayed', 'completed', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** A job in its queue. */
export interface KeptJob {
  id: string
  /** The name of its type. A job of another release may have a type that this one does not know. */
  name: string
  /** Ids and numbers. */
  data: unknown
  attempts: number
  attemptsMax: number
  createdAt: Date
  /** When it is due; null unless it is delayed. */
  dueAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  error: string | null
}

/** Thrown for a job that does not exist, or has not failed. */
export class JobRefused extends Error {
  override name = 'JobRefused'
  readonly reason: 'missing' | 'not-failed'

  constructor(reason: JobRefused['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** Jobs of a queue in a state: waiting ones in their order, finished ones latest first. Undefined for one removed meanwhile. */
export async function jobsOf(
  queue: AnyQueue,
  state: JobState,
  { from, count }: { from: number; count: number },
): Promise<(KeptJob | undefined)[]> {
  const isFinished = state === 'completed' || state === 'failed'
  const jobs = await queue.getJobs([state], from, from + count - 1, !isFinished)
  // The library first reads ids, then jobs: one that is removed in between is missing.
  return jobs.map((job) => (job === undefined || job === null ? undefined : keptJob(job as Job, state)))
}

function keptJob(job: Job, state: JobState): KeptJob {
  const at = (ms: number | null | undefined) => (ms ? new Date(ms) : null)
  return {
    id: job.id ?? '',
    name: job.name,
    data: job.data,
    attempts: job.attemptsMade,
    attemptsMax: job.opts.attempts ?? 1,
    createdAt: new Date(job.timestamp),
    dueAt: state === 'delayed' ? new Date(job.timestamp + (job.delay ?? 0)) : null,
    startedAt: at(job.processedOn),
    finishedAt: at(job.finishedOn),
    error: job.failedReason || null,
  }
}

/** Finds a failed job. @throws JobRefused when it does not exist or has not failed */
export async function failedJob(queue: AnyQueue, id: string): Promise<Job> {
  const job = (await queue.getJob(id)) as Job | undefined
  if (job === undefined) throw new JobRefused('missing')
  if (!(await job.isFailed())) throw new JobRefused('not-failed')
  return job
}

/** Does something with a failed job. @throws JobRefused */
export async function withFailedJob(
  queue: AnyQueue,
  id: string,
  work: (job: Job) => Promise<void>,
): Promise<void> {
  const job = await failedJob(queue, id)
  try {
    await work(job)
  } catch (error) {
    // Somebody else may have been first. The library's error has only a number, so look again for a clear one.
    await failedJob(queue, id)
    throw error
  }
}
