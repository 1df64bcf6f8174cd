import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Output, SignedIn } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { listOrganizationIds } from '../organizations/service.ts'
import type { RestoreAccount } from './lifecycle-schema.ts'
import * as store from './lifecycle-store.ts'
import { lockUser } from './user-store.ts'

/**
 * Restores a deleted account, for a platform admin. The organizations that get their member back see it in their audit logs.
 * @throws ApiError user_not_found (also when it is too late), account_not_deleted
 */
export function restoreAccount(
  { queries }: { queries: Queries },
  caller: SignedIn,
  userId: string,
): Promise<Output<typeof RestoreAccount>> {
  return asTenant(queries, { userId }, async (trx, switchTenant) => {
    // Read before restoring: organizations that were deleted with the user are restored too, and need no such entry.
    const lastingOrganizations = await listOrganizationIds(trx, userId)
    const outcome = await store.restoreAccount(trx, userId)
    if (outcome === 'not_found') throw new ApiError('user_not_found')
    if (outcome === 'not_deleted') throw new ApiError('account_not_deleted')
    await recordAudit(trx, {
      action: 'account_restored',
      actor: actorOf(caller),
      origin: caller.origin,
      userId,
      target: userId,
    })
    const details = { email: (await lockUser(trx, userId))?.email }
    // The organization's log names the system as actor: it must not show who the platform admin is.
    for (const organizationId of lastingOrganizations) {
      await switchTenant({ organizationId })
      await recordAudit(trx, {
        action: 'account_restored',
        actor: { kind: 'system' },
        organizationId,
        target: userId,
        details,
      })
    }
    return { message: 'Account restored' }
  })
}
