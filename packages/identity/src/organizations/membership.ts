import { ApiError } from '@memory/shared/catalogue/errors'
import type { SignedIn } from '@memory/shared/catalogue/operation'
import type { PlanName } from '@memory/shared/catalogue/plans'
import { isAdministrator, type Role } from '@memory/shared/catalogue/roles'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import * as store from './membership-store.ts'
import { lockPlan } from './service.ts'

/** What a user is in an organization. */
export interface Membership {
  organizationId: string
  role: Role
}

/** A membership that stays as it is until the transaction ends, as does the plan: what is counted against it stays. */
export interface LockedMembership extends Membership {
  plan: PlanName
}

/**
 * Runs `work` in a transaction of an organization for one of its members, whose role is read there and then.
 * @param organizationId undefined: the one that the request is for
 * @throws ApiError organization_not_found, alike for an unknown organization and for a foreign one
 */
export async function asMember<T>(
  queries: Queries,
  { userId, organization }: Pick<SignedIn, 'userId' | 'organization'>,
  organizationId: string | undefined,
  work: (trx: Trx, membership: Membership) => Promise<T>,
): Promise<T> {
  const id = organizationId ?? organization?.id
  if (id === undefined) throw new ApiError('organization_not_found')
  return asTenant(queries, { organizationId: id, userId }, async (trx) => {
    const role = await store.findRole(trx, id, userId)
    if (role === undefined) throw new ApiError('organization_not_found')
    return work(trx, { organizationId: id, role })
  })
}

/**
 * As `asMember`, for what a role allows: the organization is locked, so that a role that another request is changing is
 * waited for and stays as it is until the transaction ends.
 */
export function asLockedMember<T>(
  queries: Queries,
  caller: SignedIn,
  organizationId: string | undefined,
  work: (trx: Trx, membership: LockedMembership) => Promise<T>,
): Promise<T> {
  // Only members get as far as the lock.
  return asMember(queries, caller, organizationId, async (trx, { organizationId: id }) => {
    const plan = await lockPlan(trx, id)
    const role = await store.findRole(trx, id, caller.userId)
    if (plan === undefined || role === undefined) throw new ApiError('organization_not_found')
    return work(trx, { organizationId: id, role, plan })
  })
}

/** As `asLockedMember`, for administrators. @throws ApiError organization_not_found, organization_admin_required */
export function asAdministrator<T>(
  queries: Queries,
  caller: SignedIn,
  organizationId: string | undefined,
  work: (trx: Trx, membership: LockedMembership) => Promise<T>,
): Promise<T> {
  return asLockedMember(queries, caller, organizationId, (trx, membership) => {
    if (!isAdministrator(membership.role)) throw new ApiError('organization_admin_required')
    return work(trx, membership)
  })
}
