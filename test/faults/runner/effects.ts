import type { Database } from '@memory/shared/platform/database/database'
import { JobQueue } from '@memory/shared/platform/queue/queue'
import { silent } from '../../platform/open-database.ts'
import { until } from '../../support/until.ts'
import type { Receiver } from '../../webhooks/receiver.ts'
import type { Cluster } from './cluster.ts'
import type { Results } from './results.ts'
import type { Tenant } from './tenant.ts'

/** What became of the effects that acknowledged writes must have: webhooks, and the notifications beside them. */
export interface Effects {
  expected: number
  missing: number
  /** Under ids of their own: a receiver can't tell them from new ones. */
  duplicated: number
  /** Deliveries of an id beyond the first, which a receiver drops. */
  redelivered: number
  /** From the last write until every effect was there. */
  drainMs: number
}

/** Longer than the lease of what a killed process had in hand, on a machine that is busy with other work. */
const drainWithinMs = 240_000

/** After a loss of all that Redis held, the workers put its schedules back by themselves: once a minute. */
export async function awaitSchedules({ redis }: Cluster, results: Results): Promise<void> {
  if (redis === undefined) return
  // It asks Redis alone.
  const queue = new JobQueue({ redisUrl: redis.url, database: {} as Database, log: silent })
  const began = performance.now()
  try {
    await until(async () => (await queue.counts()).chores.delayed > 10, 'the schedules', 180_000)
    results.add('schedules there after the last fault', performance.now() - began)
  } catch (error) {
    results.require(false, (error as Error).message)
  } finally {
    await queue.close()
  }
}

/** @param since when the last write was answered, by the monotonic clock in ms */
export async function awaitEffects(
  tenants: readonly Tenant[],
  receiver: Receiver,
  since: number,
): Promise<Effects> {
  const idsOf = ({ name }: Tenant) =>
    receiver.received
      .filter(({ path }) => path.endsWith(`/${name}`))
      .map(({ headers }) => String(headers['webhook-id']))
  const isThere = (tenant: Tenant) => new Set(idsOf(tenant)).size >= tenant.payments
  await until(() => tenants.every(isThere), 'effects', drainWithinMs).catch(() => {})
  const drainMs = performance.now() - since
  const effects: Effects = { expected: 0, missing: 0, duplicated: 0, redelivered: 0, drainMs }
  for (const tenant of tenants) {
    const ids = idsOf(tenant)
    const delivered = new Set(ids).size
    const told = await tenant.notifiedPayments()
    effects.expected += tenant.payments
    effects.missing += Math.max(0, tenant.payments - Math.min(delivered, told))
    effects.duplicated += Math.max(0, Math.max(delivered, told) - tenant.payments)
    effects.redelivered += ids.length - delivered
  }
  return effects
}
