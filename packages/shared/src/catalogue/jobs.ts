import { z } from 'zod'

/** The queues of background work, and how many of its jobs a worker has in hand at once. */
export const queues = {
  /** Long work on one space at a time. */
  spaces: { concurrency: 1 },
  /** Short work on one space, which does not wait behind the long. */
  tiers: { concurrency: 2 },
  /** Housekeeping across tenants. */
  chores: { concurrency: 4 },
} as const

export type QueueName = keyof typeof queues

export const queueNames = Object.keys(queues) as [QueueName, ...QueueName[]]

/** When a job comes by itself: every so many milliseconds, or by a cron expression in UTC. */
export type Schedule = { everyMs: number } | { cron: string }

export interface JobDefinition {
  queue: QueueName
  /** Ids and numbers, no texts: payloads stand in Redis, in logs and before operators. */
  payload: z.ZodType
  /** How often a job is tried before it counts as failed. */
  attempts: number
  /** Before the second attempt; each further wait is twice as long. */
  backoffMs: number
  schedule?: Schedule
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const ofSpace = z.object({ spaceId: z.guid() })
const nothing = z.object({})

/** What comes again by itself: the next turn is the next attempt. */
const chore = (everyMs: number) =>
  ({ queue: 'chores', payload: nothing, attempts: 1, backoffMs: 0, schedule: { everyMs } }) as const

/** Every type of job, with what it carries and how it is tried. Work on a space is asked for; chores come by themselves. */
export const jobs = {
  'schedule-spaces': chore(minuteMs),
  // What fails is put off in the space's own schedule, and due again.
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

/** The definition of a type, as code that works with any of them reads it. */
export const jobDefinition = (type: JobType): JobDefinition => jobs[type]
