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

/** Who changes a plan, and where the request came from. */
interface Change {
  actor: AuditActor
  origin: Origin
}

/**
 * Changes the plan of an organization, for a platform admin. Events of the payment provider about earlier times, which may arrive
 * later, do not change it any more.
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
    // The organization can read this entry: it must not show the platform admin's address.
    const origin = { ...caller.origin, ip: null, userAgent: null }
    await store.changeBilledAt(trx, organizationId, clock.now())
    await setPlan(trx, organizationId, before, plan, { actor: actorOf(caller), origin })
    const changed = await store.find(trx, organizationId)
    if (changed === undefined) throw new ApiError('organization_not_found')
    return describeOrganization(changed)
  })
}

/** An event of the payment provider. */
interface Billed {
  plan: PlanName
  /** The time of the event. */
  at: Date
  /** The latest plausible time of an event. A stored `billed_at` that is later than this is wrong and is ignored. */
  latest: Date
}

/**
 * Changes the plan by an event of the payment provider, in a transaction of the organization. A deleted organization is changed
 * too, since it may be restored.
 * @returns false, without a change, when a later event or a later change by a platform admin came before
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

/** Sets the plan. What exceeds a smaller plan stays stored; the new limits hold for requests that begin after the commit. */
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
