import { type AuditActor, recordAudit } from '@memory/shared/audit/audit'
import type { Origin } from '@memory/shared/catalogue/operation'
import type { Tenant, Trx } from '@memory/shared/platform/database/database'
import { hasOtherMember, listOrganizationIds } from '../organizations/service.ts'
import { type Account, setStatus } from './user-store.ts'

/** A transaction, and the function that switches its tenant. */
export interface Changing {
  trx: Trx
  switchTenant: (tenant: Tenant) => Promise<void>
}

/**
 * Suspends or activates an account, which must be locked and not deleted, in a transaction with the user as its tenant. It is
 * recorded in the audit logs of the user's organizations that have other members.
 * @returns false when the account has this status already
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
    // The organization's log shows neither the platform admin nor the reason.
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
