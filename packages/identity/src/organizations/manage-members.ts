import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Output, SignedIn } from '@memory/shared/catalogue/operation'
import { isAdministrator, type Role } from '@memory/shared/catalogue/roles'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { withdrawInvitationsOf } from './invitations.ts'
import { asAdministrator, asLockedMember, asMember } from './membership.ts'
import * as store from './membership-store.ts'
import type { ChangeMember, ListMembers, RemoveMember } from './schema.ts'

/** @throws ApiError organization_not_found */
export function listMembers(
  { queries }: { queries: Queries },
  caller: SignedIn,
  organizationId: string,
): Promise<Output<typeof ListMembers>> {
  return asMember(queries, caller, organizationId, async (trx) => ({
    members: (await store.list(trx, organizationId)).map(toMember),
  }))
}

/**
 * Changes a member's role.
 * @throws ApiError organization_not_found, organization_admin_required, member_not_found, last_owner;
 *   organization_owner_required when somebody who is no owner makes or demotes one
 */
export function changeMember(
  { queries }: { queries: Queries },
  caller: SignedIn,
  organizationId: string,
  userId: string,
  to: Role,
): Promise<Output<typeof ChangeMember>> {
  return asAdministrator(queries, caller, organizationId, async (trx, { role }) => {
    const member = required(await store.find(trx, organizationId, userId))
    const from = member.role
    if (from === to) return toMember(member)
    if (from === 'owner' || to === 'owner') requireOwner(role)
    if (from === 'owner') {
      await requireOtherOwner(trx, organizationId, userId)
      await store.revokeExports(trx, userId)
    }
    await store.changeRole(trx, organizationId, userId, to)
    await withdrawInvitationsOf(trx, caller, { organizationId, userId, role: to })
    await recordAudit(trx, {
      action: 'role_changed',
      actor: actorOf(caller),
      origin: caller.origin,
      organizationId,
      userId,
      target: userId,
      details: { email: member.email, from, to },
    })
    return toMember({ ...member, role: to })
  })
}

/**
 * Ends a membership, for an administrator or the member. This also works for an account that is scheduled for deletion, which
 * would be a member again when restored. The user's requests that begin after the answer have no access any more.
 * @throws ApiError organization_not_found, organization_admin_required, member_not_found, last_owner;
 *   organization_owner_required when somebody who is no owner removes one
 */
export function removeMember(
  { queries }: { queries: Queries },
  caller: SignedIn,
  organizationId: string,
  userId: string,
): Promise<Output<typeof RemoveMember>> {
  return asLockedMember(queries, caller, organizationId, async (trx, { role }) => {
    const leaves = userId === caller.userId
    if (!leaves && !isAdministrator(role)) throw new ApiError('organization_admin_required')
    const member = required(await store.findAny(trx, organizationId, userId))
    if (member.role === 'owner') {
      if (!leaves) requireOwner(role)
      await requireOtherOwner(trx, organizationId, userId)
      await store.revokeExports(trx, userId)
    }
    await store.remove(trx, organizationId, userId)
    await withdrawInvitationsOf(trx, caller, { organizationId, userId, role: undefined })
    await recordAudit(trx, {
      action: 'member_removed',
      actor: actorOf(caller),
      origin: caller.origin,
      organizationId,
      userId,
      target: userId,
      details: { email: member.email, role: member.role },
    })
    return { message: leaves ? 'You have left the organization' : 'Member removed' }
  })
}

function required(member: store.Member | undefined): store.Member {
  if (member === undefined) throw new ApiError('member_not_found')
  return member
}

function requireOwner(role: Role): void {
  if (role !== 'owner') throw new ApiError('organization_owner_required')
}

async function requireOtherOwner(trx: Trx, organizationId: string, userId: string): Promise<void> {
  if (!(await store.hasOtherOwner(trx, organizationId, userId))) throw new ApiError('last_owner')
}

function toMember({ joined_at, ...member }: store.Member): Output<typeof ChangeMember> {
  return { ...member, joined_at: joined_at.toISOString() }
}
