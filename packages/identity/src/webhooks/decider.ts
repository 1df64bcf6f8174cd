import { ApiError } from '@memory/shared/catalogue/errors'
import type { Caller } from '@memory/shared/catalogue/operation'
import { isAdministrator } from '@memory/shared/catalogue/roles'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { asKey } from '../keys/service.ts'
import { asAdministrator } from '../organizations/membership.ts'

/** Keys have a scope for it; of users, administrators alone decide where events go. */
export function requireAdministrator({ actor }: Caller): void {
  if (actor.kind === 'user' && !isAdministrator(actor.role)) {
    throw new ApiError('organization_admin_required')
  }
}

/**
 * Runs `work` in a transaction for a caller who decides where events go. The organization is locked before it is read that the
 * caller still may: looking up a host name takes a while, and a request that was under way must not leave a webhook behind when
 * whoever owns the mailbox takes over, the key is revoked or the user is no administrator any more.
 * @throws ApiError organization_admin_required, organization_not_found, invalid_api_key
 */
export function asDecider<T>(queries: Queries, caller: Caller, work: (trx: Trx) => Promise<T>): Promise<T> {
  requireAdministrator(caller)
  const { actor, organizationId } = caller
  return actor.kind === 'user'
    ? asAdministrator(queries, actor, organizationId, work)
    : asKey(queries, { organizationId, keyId: actor.keyId }, work)
}
