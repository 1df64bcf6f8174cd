import { type AuditActor, recordAudit } from '@memory/shared/audit/audit'
import type { Origin } from '@memory/shared/catalogue/operation'
import type { Trx } from '@memory/shared/platform/database/database'
import { type Account, setStatus } from './user-store.ts'

/**
 * Suspends a locked account that is not deleted, or activates it, in a transaction that sees the user as its tenant.
 * @returns false when it was so already
 */
export async function changeStatus(
  trx: Trx,
  account: Account,
  to: 'active' | 'suspended',
  by: { actor: AuditActor; origin?: Origin; details?: Record<string, unknown> | undefined },
): Promise<boolean> {
  if (account.status === to) return false
  await setStatus(trx, account.id, to)
  await recordAudit(trx, {
    ...by,
    action: to === 'suspended' ? 'account_suspended' : 'account_activated',
    userId: account.id,
    target: account.id,
  })
  return true
}
