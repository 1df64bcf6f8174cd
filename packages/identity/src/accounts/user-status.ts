import { type AuditActor, recordAudit } from '@memory/shared/audit/audit'
import type { Origin } from '@memory/shared/catalogue/operation'
import type { Tenant, Trx } from '@memory/shared/platform/database/database'
import { hasOtherMember, listOrganizationIds } from '../organizations/service.ts'
import { type Account, setStatus } from './user-store.ts'

/** A transaction, and what has it go on as another tenant. */
export interface Changing {
  trx: Trx
  switchTenant: (tenant: Tenant) => Promise<void>
}

/**
 * Suspends a locked account that is not deleted, or activates it, in a transaction that sees the user as its tenant. The
 * organizations that have other members see that in their logs.
 * @returns false when it was so already
 */
export async function changeStatus(
  { trx, switchTenant }: Changing,
  account: Account,
  to: 'active' | 'suspended',
  by: { actor: AuditActor; origin?: Origin; details?: Record<string, unknown> | undefined },
): Promise<boolean> {
  if (account.status === to) return false
  const { id: userId, email } = account
  await setStatus(trx, userId, to)
  const action = to === 'suspended' ? 'account_suspended' : 'account_activated'
  await recordAudit(trx, { ...by, action, userId, target: userId })
  for (const organizationId of await listOrganizationIds(trx, userId)) {
    await switchTenant({ organizationId })
    if (!(await hasOtherMember(trx, organizationId, userId))) continue
    // Neither who runs the service nor why is for the logs of tenants.
    await recordAudit(trx, {
      action,
      actor: { kind: 'system' },
      organizationId,
      target: userId,
      details: { email },
    })
  }
  await switchTenant({ userId })
  return true
}
