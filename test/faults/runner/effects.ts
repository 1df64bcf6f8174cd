import { until } from '../../support/until.ts'
import type { Receiver } from '../../webhooks/receiver.ts'
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

export async function awaitEffects(tenants: readonly Tenant[], receiver: Receiver): Promise<Effects> {
  const began = performance.now()
  const idsOf = ({ name }: Tenant) =>
    receiver.received
      .filter(({ path }) => path.endsWith(`/${name}`))
      .map(({ headers }) => String(headers['webhook-id']))
  const isThere = (tenant: Tenant) => new Set(idsOf(tenant)).size >= tenant.payments
  await until(() => tenants.every(isThere), 'effects', drainWithinMs).catch(() => {})
  const drainMs = performance.now() - began
  const effects: Effects = { expected: 0, missing: 0, duplicated: 0, redelivered: 0, drainMs }
  for (const tenant of tenants) {
    const ids = idsOf(tenant)
    const delivered = new Set(ids).size
    const told = await tenant.toldPayments()
    effects.expected += tenant.payments
    effects.missing += Math.max(0, tenant.payments - Math.min(delivered, told))
    effects.duplicated += Math.max(0, Math.max(delivered, told) - tenant.payments)
    effects.redelivered += ids.length - delivered
  }
  return effects
}
