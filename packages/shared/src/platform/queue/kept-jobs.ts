import type { Job } from 'bullmq'
import type { AnyQueue } from './backend.ts'

/** Where a job may stand. */
export const jobStates = ['waiting', 'active', 'delayed', 'completed', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** A job as it stands in its queue. */
export interface KeptJob {
  id: string
  /** The name of its type; of another release it may be one that this one does not know. */
  name: string
  /** Ids and numbers. */
  data: unknown
  attempts: number
  attemptsMax: number
  createdAt: Date
  /** When it is due, while it is delayed. */
  dueAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  error: string | null
}

/** Thrown for a job that is not there, or is not in the state that something is asked of it in. */
export class JobRefused extends Error {
  override name = 'JobRefused'
  readonly reason: 'missing' | 'not-failed'

  constructor(reason: JobRefused['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** Jobs of a queue in a state: what waits in its order, what is finished with the latest first. */
export async function jobsOf(
  queue: AnyQueue,
  state: JobState,
  { from, count }: { from: number; count: number },
): Promise<(KeptJob | undefined)[]> {
  const isFinished = state === 'completed' || state === 'failed'
  const jobs = await queue.getJobs([state], from, from + count - 1, !isFinished)
  // One that ended between the two questions to the queue is gone.
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

/** @throws JobRefused where there is none, or it has not failed */
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
    // Somebody else was first: the library says by numbers of its own what it found.
    await failedJob(queue, id)
    throw error
  }
}
