import type { JobsOptions } from 'bullmq'
import type { JobDefinition } from '../../catalogue/jobs.ts'

/** What is finished is kept for operators to see. */
const keptCompleted = { count: 100, age: 86_400 }
const keptFailed = { count: 1_000, age: 14 * 86_400 }

/** How a job of this definition is tried and kept. */
export function jobOptions({ attempts, backoffMs }: JobDefinition): JobsOptions {
  return {
    attempts,
    backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
    removeOnComplete: keptCompleted,
    removeOnFail: keptFailed,
    stackTraceLimit: 0,
  }
}
