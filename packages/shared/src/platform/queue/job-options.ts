import type { JobsOptions } from 'bullmq'
import type { JobDefinition } from '../../catalogue/jobs.ts'

/** How many finished jobs are kept for operators to see, and for how many seconds. */
const keptCompleted = { count: 100, age: 86_400 }
const keptFailed = { count: 1_000, age: 14 * 86_400 }

/** The queue's options for a job: its attempts, and how long it is kept. */
export function jobOptions({ attempts, backoffMs }: JobDefinition): JobsOptions {
  return {
    attempts,
    backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
    removeOnComplete: keptCompleted,
    removeOnFail: keptFailed,
    stackTraceLimit: 0,
  }
}
