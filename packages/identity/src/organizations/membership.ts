import { ApiError } from '@memory/shared/catalogue/errors'
import type { SignedIn } from '@memory/shared/catalogue/operation'
import type { PlanName } from '@memory/shared/catalogue/plans'
import { isAdministrator, type Role } from '@memory/shared/catalogue/roles'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import * as store from './membership-store.ts'
import { lockPlan } from './service.ts'

/** A user's role in an organization. */
export interface Membership {
  organizationId: string
  role: Role
}

/** A user in a session. */
type InSession = Pick<SignedIn, 'userId' | 'sessionId'> & Partial<Pick<SignedIn, 'organization'>>

/** A membership, with the plan, both locked until the transaction ends. */
export interface LockedMembership extends Membership {
  plan: PlanName
}

/**
 * Runs `work` in a transaction of an organization, for one of its members, whose role is read in that transaction.
 * @param organizationId undefined: the organization that the request is for
 * @throws ApiError organization_not_found, both for an unknown organization and for one that the user is no member of
 */
export async function asMember<T>(
  queries: Queries,
  { userId, organization }: Omit<InSession, 'sessionId'>,
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
 * Like `asMember`, for work that depends on the role: the organization is locked, so that no other request can change roles or
 * the plan until the transaction ends.
 */
export function asLockedMember<T>(
  queries: Queries,
  caller: InSession,
  organizationId: string | undefined,
  work: (trx: Trx, membership: LockedMembership) => Promise<T>,
): Promise<T> {
  // The role is read twice: first so that only members can take the lock, then again, since it may have changed meanwhile, and the
  // session may have ended: a request that was under way must not leave a key behind when whoever owns the mailbox takes over.
  return asMember(queries, caller, organizationId, async (trx, { organizationId: id }) => {
    const plan = await lockPlan(trx, id)
    const role = await store.findRoleInSession(trx, id, caller)
    if (plan === undefined || role === undefined) throw new ApiError('organization_not_found')
    return work(trx, { organizationId: id, role, plan })
  })
}

/** Like `asLockedMember`, but only for administrators. @throws ApiError organization_not_found, organization_admin_required */
export function asAdministrator<T>(
  queries: Queries,
  caller: InSession,
  organizationId: string | undefined,
  work: (trx: Trx, membership: LockedMembership) => Promise<T>,
): Promise<T> {
  return asLockedMember(queries, caller, organizationId, (trx, membership) => {
    requireAdministrator(membership.role)
    return work(trx, membership)
  })
}

/** @throws ApiError organization_admin_required */
export function requireAdministrator(role: Role): void {
  if (!isAdministrator(role)) throw new ApiError('organization_admin_required')
}
