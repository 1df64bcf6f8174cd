import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Output, SignedIn } from '@memory/shared/catalogue/operation'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { asTenant } from '@memory/shared/platform/database/database'
import { withdrawInvitationsOf } from '../organizations/invitations.ts'
import { listOrganizationIds } from '../organizations/service.ts'
import type { AccountsContext } from './context.ts'
import type { DeleteAccount } from './lifecycle-schema.ts'
import * as store from './lifecycle-store.ts'

/**
 * Marks the caller's account as deleted; it can be restored until it is erased. In each organization that remains, this is
 * recorded in the audit log, and the invitations that the user has sent are withdrawn.
 * @throws ApiError last_owner; token_revoked when the account was deleted or suspended meanwhile
 */
export function deleteAccount(
  { queries, secrets }: Pick<AccountsContext, 'queries' | 'secrets'>,
  caller: SignedIn,
): Promise<Output<typeof DeleteAccount>> {
  const { userId, email, organization, origin } = caller
  return asTenant(queries, { userId }, async (trx, switchTenant) => {
    const { outcome, restorable_until } = await store.deleteAccount(trx, userId)
    if (outcome === 'not_active') throw new ApiError('token_revoked')
    if (outcome === 'last_owner') {
      throw new ApiError('last_owner', {
        detail:
          'You are the last owner of an organization with other members: make one of them its owner first',
      })
    }
    const until = restorable_until.toISOString()
    await recordAudit(trx, {
      action: 'account_deleted',
      actor: actorOf(caller),
      origin,
      organizationId: organization?.id,
      userId,
      target: userId,
    })
    const parameters = { userId, until }
    await enqueueMail(trx, secrets, { to: email, template: 'account-deleted', parameters, userId })
    for (const organizationId of await listOrganizationIds(trx, userId)) {
      await switchTenant({ organizationId })
      await withdrawInvitationsOf(trx, caller, { organizationId, userId, role: undefined })
      if (organizationId === organization?.id) continue
      await recordAudit(trx, {
        action: 'account_deleted',
        actor: actorOf(caller),
        organizationId,
        target: userId,
      })
    }
    return { message: `Account deleted. Until ${until} support can restore it` }
  })
}
