import { randomUUID } from 'node:crypto'
import type { PlanName } from '@memory/shared/catalogue/plans'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { findRole, insert as insertMembership, list as listMembers } from './membership-store.ts'
import * as store from './store.ts'

/** Makes an organization with its live and its test space. @returns its id. */
export async function createOrganization(queries: Queries, name: string, plan: PlanName): Promise<string> {
  const id = randomUUID()
  await ensureOrganization(queries, { id, name, plan })
  return id
}

/** Makes an organization unless it is there. @returns whether this call made it. */
export function ensureOrganization(queries: Queries, organization: store.NewOrganization): Promise<boolean> {
  return asTenant(queries, { organizationId: organization.id }, (trx) => store.insert(trx, organization))
}

/** Makes the organization of a new user, who owns it, in the transaction that makes the user; it is the tenant of both. */
export async function foundOrganization(
  trx: Trx,
  organization: store.NewOrganization,
  ownerId: string,
): Promise<void> {
  await store.insert(trx, organization)
  await insertMembership(trx, { organizationId: organization.id, userId: ownerId, role: 'owner' })
}

/** The plan of an organization, locked until the transaction ends: what is counted against it stays counted. */
export function lockPlan(trx: Trx, organizationId: string): Promise<PlanName | undefined> {
  return store.lockPlan(trx, organizationId)
}

/** The addresses of an organization's owners, for the transaction's tenant. */
export async function listOwnerEmails(trx: Trx, organizationId: string): Promise<string[]> {
  const members = await listMembers(trx, organizationId)
  return members.filter(({ role }) => role === 'owner').map(({ email }) => email)
}

/** Whether the organization, which is the tenant, has a member beside this user. */
export async function hasOtherMember(trx: Trx, organizationId: string, userId: string): Promise<boolean> {
  return (await listMembers(trx, organizationId)).some(({ user_id }) => user_id !== userId)
}

/** Whether there is an organization that is not deleted. */
export function isOrganization(queries: Queries, organizationId: string): Promise<boolean> {
  return asTenant(
    queries,
    { organizationId },
    async (trx) => (await store.find(trx, organizationId)) !== undefined,
  )
}

/** Whether a user is a member of an organization that is not deleted. */
export async function isMember(trx: Trx, organizationId: string, userId: string): Promise<boolean> {
  return (await findRole(trx, organizationId, userId)) !== undefined
}

/** Ids of the organizations that the tenant's user is a member of, oldest membership first. */
export async function listOrganizationIds(trx: Trx, userId: string): Promise<string[]> {
  return (await store.listOf(trx, userId)).map(({ id }) => id)
}
