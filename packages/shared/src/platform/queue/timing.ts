/** Times of the queue. All workers of a queue must use the same, so they are no settings; tests use shorter ones. */
export interface Timing {
  /** How long a worker holds a job without renewing its lock. */
  lockMs: number
  /** How often jobs of dead workers are looked for. */
  stalledEveryMs: number
  /** At a stop, running jobs have this long to finish; then they are handed back. */
  drainMs: number
  /** How often lost schedules are looked for. */
  schedulesEveryMs: number
  /** How long a worker waits before it asks again after an error of Redis or the database. */
  retryMs: number
}

export const timing: Timing = {
  lockMs: 30_000,
  stalledEveryMs: 15_000,
  drainMs: 10_000,
  schedulesEveryMs: 60_000,
  retryMs: 1_000,
}

/** A job whose workers have died this many times counts as failed: it may be what kills them. */
export const stalledMax = 20
