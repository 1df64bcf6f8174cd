/** How soon a queue notices what. All workers of a queue must have the same, so it is no setting; tests hurry. */
export interface Timing {
  /** A job in hand belongs to its worker for so long, and as long as that renews it. */
  lockMs: number
  /** How often it is looked for jobs whose worker is gone. */
  stalledEveryMs: number
  /** Jobs in hand at a stop have so long; those that take longer are handed back. */
  drainMs: number
  /** How often it is looked for schedules that were lost. */
  schedulesEveryMs: number
  /** Until a worker asks again when Redis or the database gave no answer. */
  retryMs: number
}

export const timing: Timing = {
  lockMs: 30_000,
  stalledEveryMs: 15_000,
  drainMs: 10_000,
  schedulesEveryMs: 60_000,
  retryMs: 1_000,
}

/** Workers that may die over one job before it counts as failed: a job that kills its worker must end some time. */
export const stalledMax = 20
