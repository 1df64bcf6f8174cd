import { type AuditActor, actorOf, recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin, Output, SignedIn } from '@memory/shared/catalogue/operation'
import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Clock } from '@memory/shared/platform/clock'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { describeOrganization } from './manage-organizations.ts'
import type { ChangePlan } from './schema.ts'
import { lockPlan } from './service.ts'
import * as store from './store.ts'

/** Who changes a plan, and from where. */
interface Change {
  actor: AuditActor
  origin: Origin
}

/**
 * Changes the plan of an organization, for who runs the service. What the payment provider said of a time before changes it
 * no more, however late that arrives.
 * @throws ApiError organization_not_found
 */
export function changePlan(
  { queries, clock }: { queries: Queries; clock: Clock },
  caller: SignedIn,
  organizationId: string,
  plan: PlanName,
): Promise<Output<typeof ChangePlan>> {
  return asTenant(queries, { organizationId }, async (trx) => {
    const before = await lockPlan(trx, organizationId)
    if (before === undefined) throw new ApiError('organization_not_found')
    // Where those who run the service are is nothing that their tenants need to know.
    const origin = { ...caller.origin, ip: null, userAgent: null }
    await store.changeBilledAt(trx, organizationId, clock.now())
    await setPlan(trx, organizationId, before, plan, { actor: actorOf(caller), origin })
    const changed = await store.find(trx, organizationId)
    if (changed === undefined) throw new ApiError('organization_not_found')
    return describeOrganization(changed)
  })
}

/** What the payment provider says. */
interface Billed {
  plan: PlanName
  /** When it was so. */
  at: Date
  /** No event is of a later time: one that is noted with such a time is not believed. */
  latest: Date
}

/**
 * Changes the plan as the payment provider says it was at a time, in a transaction of the organization. A deleted
 * organization is changed too: it may come back.
 * @returns false when the provider has told of a later change before, or who runs the service has made one: it stays
 * @throws ApiError organization_not_found
 */
export async function changeBilledPlan(
  trx: Trx,
  organizationId: string,
  { plan, at, latest }: Billed,
  origin: Origin,
): Promise<boolean> {
  const before = await store.lockBilling(trx, organizationId)
  if (before === undefined) throw new ApiError('organization_not_found')
  if (before.billed_at !== null && at < before.billed_at && before.billed_at <= latest) return false
  await store.changeBilledAt(trx, organizationId, at)
  await setPlan(trx, organizationId, before.plan, plan, { actor: { kind: 'system' }, origin })
  return true
}

/** What is stored beyond a smaller plan stays; requests that begin after the commit are held to the new limits. */
async function setPlan(
  trx: Trx,
  organizationId: string,
  from: PlanName,
  to: PlanName,
  { actor, origin }: Change,
): Promise<void> {
  if (from === to) return
  await store.changePlan(trx, organizationId, from, to)
  await recordAudit(trx, {
    action: 'plan_changed',
    actor,
    origin,
    organizationId,
    target: organizationId,
    details: { from, to },
  })
}
