import { z } from 'zod'

/** The queues of background work, and how many of their jobs a worker does at the same time. */
export const queues = {
  /** Long work on one space at a time. */
  spaces: { concurrency: 1 },
  /** Short work on one space, which should not wait for the long work. */
  tiers: { concurrency: 2 },
  /** Housekeeping across tenants. */
  chores: { concurrency: 4 },
} as const

export type QueueName = keyof typeof queues

export const queueNames = Object.keys(queues) as [QueueName, ...QueueName[]]

/** The schedule of a recurring job: an interval in milliseconds, or a cron expression in UTC. */
export type Schedule = { everyMs: number } | { cron: string }

export interface JobDefinition {
  queue: QueueName
  /** Only ids and numbers, no texts: payloads are visible in Redis, in logs and to operators. */
  payload: z.ZodType
  /** How often a job is tried before it counts as failed. */
  attempts: number
  /** The wait before the second attempt, in ms; each further wait is twice as long. */
  backoffMs: number
  schedule?: Schedule
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const ofSpace = z.object({ spaceId: z.guid() })
const nothing = z.object({})

/** A recurring job. It has one attempt, since its next turn is the next attempt. */
const chore = (everyMs: number) =>
  ({ queue: 'chores', payload: nothing, attempts: 1, backoffMs: 0, schedule: { everyMs } }) as const

/** Every type of job, with its payload and attempts. Jobs on a space are added when they are due; chores recur by themselves. */
export const jobs = {
  'schedule-spaces': chore(minuteMs),
  // One attempt: after a failure the space's own schedule makes the work due again later.
  'consolidate-space': { queue: 'spaces', payload: ofSpace, attempts: 1, backoffMs: 0 },
  'explore-space': { queue: 'spaces', payload: ofSpace, attempts: 1, backoffMs: 0 },
  'migrate-tiers': { queue: 'tiers', payload: ofSpace, attempts: 2, backoffMs: 1_000 },
  'erase-expired-patterns': chore(minuteMs),
  'enter-patterns': chore(minuteMs),
  'purge-versions': chore(hourMs),
  'erase-accounts': chore(10 * minuteMs),
  'tell-of-expiring-keys': chore(minuteMs),
  'rotate-signing-key': chore(hourMs),
  'note-held': chore(5 * minuteMs),
  'roll-up-usage': chore(hourMs),
  'purge-tombstones': chore(5 * minuteMs),
  'purge-traces': chore(10 * minuteMs),
  'purge-idempotency-keys': chore(5 * minuteMs),
  'purge-attempts': chore(5 * minuteMs),
  'purge-deliveries': chore(hourMs),
  'purge-notifications': chore(hourMs),
  'purge-exports': chore(hourMs),
  'purge-sessions': chore(hourMs),
  'purge-audit-log': chore(hourMs),
  'purge-keys': chore(hourMs),
  'purge-invitations': chore(hourMs),
} as const satisfies Record<string, JobDefinition>

export type JobType = keyof typeof jobs
export type JobPayload<Type extends JobType> = z.output<(typeof jobs)[Type]['payload']>

export const jobTypes = Object.keys(jobs) as [JobType, ...JobType[]]

export const isJobType = (name: string): name is JobType => Object.hasOwn(jobs, name)

/** The definition of a type, for code that handles all types. */
export const jobDefinition = (type: JobType): JobDefinition => jobs[type]
