import { randomUUID } from 'node:crypto'
import type { PlanName } from '@memory/shared/catalogue/plans'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { findRole, insert as insertMembership, list as listMembers } from './membership-store.ts'
import * as store from './store.ts'

/** Makes an organization, with its live and test spaces. @returns its id */
export async function createOrganization(queries: Queries, name: string, plan: PlanName): Promise<string> {
  const id = randomUUID()
  await ensureOrganization(queries, { id, name, plan })
  return id
}

/** Makes an organization unless it exists. @returns whether this call made it */
export function ensureOrganization(queries: Queries, organization: store.NewOrganization): Promise<boolean> {
  return asTenant(queries, { organizationId: organization.id }, (trx) => store.insert(trx, organization))
}

/** Makes the organization of a new user, its owner, in the transaction that makes the user. The tenant must be both. */
export async function foundOrganization(
  trx: Trx,
  organization: store.NewOrganization,
  ownerId: string,
): Promise<void> {
  await store.insert(trx, organization)
  await insertMembership(trx, { organizationId: organization.id, userId: ownerId, role: 'owner' })
}

/** The plan of an organization, which is locked until the transaction ends, so that concurrent requests can't exceed it. */
export function lockPlan(trx: Trx, organizationId: string): Promise<PlanName | undefined> {
  return store.lockPlan(trx, organizationId)
}

/** The email addresses of an organization's owners; the organization must be the transaction's tenant. */
export async function listOwnerEmails(trx: Trx, organizationId: string): Promise<string[]> {
  const members = await listMembers(trx, organizationId)
  return members.filter(({ role }) => role === 'owner').map(({ email }) => email)
}

/** Whether the organization, which must be the tenant, has another member than this user. */
export async function hasOtherMember(trx: Trx, organizationId: string, userId: string): Promise<boolean> {
  return (await listMembers(trx, organizationId)).some(({ user_id }) => user_id !== userId)
}

/** Whether an organization exists and is not deleted. */
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

/** Ids of an organization's spaces. */
export function listSpaces(queries: Queries, organizationId: string): Promise<string[]> {
  return asTenant(queries, { organizationId }, (trx) => store.listSpaces(trx, organizationId))
}

/** Ids of the organizations that the tenant's user is a member of, oldest membership first. */
export async function listOrganizationIds(trx: Trx, userId: string): Promise<string[]> {
  return (await store.listOf(trx, userId)).map(({ id }) => id)
}
