import { eraseDue } from '@memory/identity/accounts/erase-accounts'
import { purgeExports } from '@memory/identity/accounts/exports'
import { purgeSessions } from '@memory/identity/accounts/sessions'
import { notifyOfExpiringKeys } from '@memory/identity/keys/notify-expiring'
import { purgeKeys } from '@memory/identity/keys/service'
import { purgeInvitations } from '@memory/identity/organizations/invitations'
import { rotateSigningKeyWhenDue } from '@memory/identity/tokens/rotate-signing-keys'
import { rollUpUsage, takeUsageSnapshot } from '@memory/identity/usage/keep-usage'
import { purgeDeliveries } from '@memory/identity/webhooks/deliveries'
import {
  enterPatterns,
  eraseExpired,
  purgeIdempotencyKeys,
  purgeTombstones,
  purgeTraces,
  purgeVersions,
} from '@memory/memory/housekeeping'
import { snapshotsIn } from '@memory/memory/index/snapshots'
import { type DueTask, listDueTasks, runTask } from '@memory/memory/schedule/run-due'
import { purgeAuditLog } from '@memory/shared/audit/audit'
import { type JobPayload, type JobType, jobDefinition } from '@memory/shared/catalogue/jobs'
import { purgeNotifications } from '@memory/shared/notifications/service'
import type { JobInHand } from '@memory/shared/platform/queue/workers'
import { purgeAttempts } from '@memory/shared/throttle/throttle'
import type { WorkerContext } from './context.ts'

/**
 * Does a job. It may be called again for the same job, so it must be idempotent. When the context's signal fires, a long job must
 * stop and throw, so that it is handed back to the queue.
 */
export type JobHandler<Type extends JobType> = (
  payload: JobPayload<Type>,
  context: WorkerContext,
  job: JobInHand,
) => Promise<unknown>

/** The type of job for each task that may be due for a space. */
const jobOf = {
  sleep: 'consolidate-space',
  explore: 'explore-space',
  migrate_tiers: 'migrate-tiers',
} as const

/** Adds a job for each space and task that is due, unless one for it is waiting or running already. */
async function scheduleSpaces({ queue, spaceWork }: WorkerContext): Promise<void> {
  for (const { spaceId, task } of await listDueTasks(spaceWork)) {
    await queue.add(jobOf[task], { spaceId }, { once: spaceId })
  }
}

const ofSpace =
  (task: DueTask['task']) =>
  ({ spaceId }: { spaceId: string }, { spaceWork, signal, queue }: WorkerContext) =>
    runTask(spaceWork, { spaceId, task }, signal, async () => {
      // Where the queue does not answer, nobody is known to wait.
      const counts = await queue.counts().catch(() => undefined)
      return counts !== undefined && counts[jobDefinition(jobOf[task]).queue].waiting > 0
    })

/** The handler of each type of job. */
export const jobHandlers: { [Type in JobType]: JobHandler<Type> } = {
  'schedule-spaces': (_, context) => scheduleSpaces(context),
  'consolidate-space': ofSpace('sleep'),
  'explore-space': ofSpace('explore'),
  'migrate-tiers': ofSpace('migrate_tiers'),
  'erase-expired-patterns': (_, { queries }) => eraseExpired(queries),
  'enter-patterns': (_, { queries }) => enterPatterns(queries),
  'purge-versions': (_, { queries }) => purgeVersions(queries),
  'erase-accounts': (_, context) => eraseDue({ ...context, snapshots: snapshotsIn(context.dataDir) }),
  'tell-of-expiring-keys': (_, { queries }) => notifyOfExpiringKeys(queries),
  'rotate-signing-key': (_, context) => rotateSigningKeyWhenDue(context),
  'note-held': (_, context) => takeUsageSnapshot(context),
  'roll-up-usage': (_, context) => rollUpUsage(context),
  'purge-tombstones': (_, { queries }) => purgeTombstones(queries),
  'purge-traces': (_, { queries }) => purgeTraces(queries),
  'purge-idempotency-keys': (_, { queries }) => purgeIdempotencyKeys(queries),
  'purge-attempts': (_, { queries }) => purgeAttempts(queries),
  'purge-deliveries': (_, { queries }) => purgeDeliveries(queries),
  'purge-notifications': (_, { queries }) => purgeNotifications(queries),
  'purge-exports': (_, { queries }) => purgeExports(queries),
  'purge-sessions': (_, { queries }) => purgeSessions(queries),
  'purge-audit-log': (_, { queries, auditRetentionDays }) => purgeAuditLog(queries, auditRetentionDays),
  'purge-keys': (_, { queries }) => purgeKeys(queries),
  'purge-invitations': (_, { queries }) => purgeInvitations(queries),
}

export const handledJobs = Object.keys(jobHandlers) as JobType[]

export function doJobs(context: WorkerContext): (job: JobInHand) => Promise<unknown> {
  return async (job) => {
    if (!Object.hasOwn(jobHandlers, job.type)) throw new Error(`No handler for the job ${job.type}.`)
    const handler = jobHandlers[job.type] as JobHandler<JobType>
    return handler(job.payload as JobPayload<JobType>, context, job)
  }
}
