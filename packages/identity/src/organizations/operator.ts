import { recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Role } from '@memory/shared/catalogue/roles'
import { notify } from '@memory/shared/notifications/notify'
import type { Trx } from '@memory/shared/platform/database/database'
import * as memberships from './membership-store.ts'
import { requireRoom } from './plan-room.ts'
import * as store from './store.ts'

/** A user's organization as operators see it. */
export interface ShownMembership {
  id: string
  name: string
  plan: PlanName
  role: Role
}

/** The organizations of a user that are not deleted, oldest membership first. */
export async function membershipsOf(trx: Trx, userId: string): Promise<ShownMembership[]> {
  const rows = await store.listOf(trx, userId)
  return rows.map(({ id, name, plan, role }) => ({ id, name, plan, role }))
}

/** Locks an organization, the transaction's tenant, which everybody does before users. */
export async function lockOrganization(trx: Trx, organizationId: string): Promise<void> {
  await store.lockPlan(trx, organizationId)
}

/**
 * Makes an active user an owner of an organization, for an operator. The transaction's tenant must be both.
 * @returns false when the user is an owner already
 * @throws ApiError organization_not_found, plan_exceeded
 */
export async function addOwner(
  trx: Trx,
  organizationId: string,
  { id: userId, email }: { id: string; email: string },
): Promise<boolean> {
  const plan = await store.lockPlan(trx, organizationId)
  if (plan === undefined) throw new ApiError('organization_not_found')
  const from = await memberships.findRole(trx, organizationId, userId)
  const role = 'owner'
  if (from === role) return false
  const entry = { actor: { kind: 'system' }, organizationId, userId, target: userId } as const
  if (from !== undefined) {
    await memberships.changeRole(trx, organizationId, userId, role)
    await recordAudit(trx, { ...entry, action: 'role_changed', details: { email, from, to: role } })
    return true
  }
  requireRoom(plan, 'members', await memberships.count(trx, organizationId))
  await memberships.insert(trx, { organizationId, userId, role })
  await recordAudit(trx, { ...entry, action: 'member_joined', details: { role } })
  await notify(trx, organizationId, 'organization.member_joined', { userId, role })
  return true
}
