import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import type { PlanName } from '@memory/shared/catalogue/plans'
import { notify } from '@memory/shared/notifications/notify'
import type { Clock } from '@memory/shared/platform/clock'
import { asTask, type Queries } from '@memory/shared/platform/database/database'
import { changeBilledPlan } from '../organizations/change-plan.ts'
import { lockPlan } from '../organizations/service.ts'
import type { BillingEvent } from './schema.ts'
import { toleranceMs } from './signature.ts'
import * as store from './store.ts'

/** Webhook ids are remembered for this many days. A sender repeats an event for some days at most. */
const keptDays = 90

/**
 * Handles an event of the payment provider, once per webhook id, which is stored in the same transaction.
 * @throws ApiError organization_not_found; ValidationError for an event in the future. The event then counts as not handled
 */
export function handleBillingEvent(
  { queries, clock }: { queries: Queries; clock: Clock },
  webhookId: string,
  event: BillingEvent,
  origin: Origin,
): Promise<{ message: string }> {
  // An event in the future would make all real events until then count as outdated, so it is refused.
  const latest = new Date(clock.now().getTime() + toleranceMs)
  if (event.timestamp > latest) {
    throw ValidationError.rule(['body', 'timestamp'], 'is in the future', event.timestamp.toISOString())
  }
  return asTask(queries, 'handle-billing', async (trx, switchTenant) => {
    if (!(await store.insert(trx, webhookId))) return { message: 'Event handled before' }
    await store.removeOlderThan(trx, keptDays)
    const { organization_id: organizationId } = event.data
    await switchTenant({ organizationId })
    if (event.type === 'invoice.payment_failed') {
      if ((await lockPlan(trx, organizationId)) === undefined) throw new ApiError('organization_not_found')
      await notify(trx, organizationId, 'billing.payment_failed', { webhookId })
      return { message: 'Event handled' }
    }
    const plan: PlanName = event.type === 'subscription.updated' ? event.data.plan : 'free'
    const told = { plan, at: event.timestamp, latest }
    const changed = await changeBilledPlan(trx, organizationId, told, origin)
    return { message: changed ? 'Event handled' : 'A later event was handled before' }
  })
}
