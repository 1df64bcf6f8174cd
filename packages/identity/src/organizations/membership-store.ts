import { spellingsOf } from '@memory/shared/catalogue/mailbox'
import type { Role } from '@memory/shared/catalogue/roles'
import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** The role of a user in an organization; undefined when it has no such member or is deleted. */
export async function findRole(trx: Trx, organizationId: string, userId: string): Promise<Role | undefined> {
  const row = await trx
    .withSchema('app')
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select('m.role')
    .where('m.organization_id', '=', organizationId)
    .where('m.user_id', '=', userId)
    .where('o.deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.role
}

/** Like `findRole`, as long as the user's session goes on; the user must be the transaction's tenant. */
export async function findRoleInSession(
  trx: Trx,
  organizationId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<Role | undefined> {
  const { rows } = await sql<{ goes_on: boolean }>`
    select exists (
      select from app.sessions where user_id = ${userId} and id = ${sessionId} and revoked_at is null
    ) as goes_on`.execute(trx)
  return rows[0]?.goes_on === true ? findRole(trx, organizationId, userId) : undefined
}

/** The role of a member who can sign in; undefined without such a member. */
export async function findActiveRole(
  trx: Trx,
  organizationId: string,
  userId: string,
): Promise<Role | undefined> {
  const row = await memberships(trx, organizationId)
    .select('m.role')
    .where('m.user_id', '=', userId)
    .where('u.status', '=', 'active')
    .executeTakeFirst()
  return row?.role
}

const memberships = (trx: Trx, organizationId: string) =>
  trx
    .withSchema('app')
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.organization_id', '=', organizationId)

/** Members whose account is not scheduled for deletion. Only these are listed and counted. */
const members = (trx: Trx, organizationId: string) =>
  memberships(trx, organizationId).where('u.status', '<>', 'deleted')

const shown = ['m.user_id', 'u.email', 'u.full_name', 'm.role', 'm.joined_at'] as const

/** Oldest membership first. */
export function list(trx: Trx, organizationId: string) {
  return members(trx, organizationId).select(shown).orderBy('m.joined_at').orderBy('m.user_id').execute()
}

export type Member = Awaited<ReturnType<typeof list>>[number]

export function find(trx: Trx, organizationId: string, userId: string): Promise<Member | undefined> {
  return members(trx, organizationId).select(shown).where('m.user_id', '=', userId).executeTakeFirst()
}

/** A member, including one whose account is scheduled for deletion: when restored, they are a member again. */
export function findAny(trx: Trx, organizationId: string, userId: string): Promise<Member | undefined> {
  return memberships(trx, organizationId).select(shown).where('m.user_id', '=', userId).executeTakeFirst()
}

/** @param email in lower case */
export async function hasEmail(trx: Trx, organizationId: string, email: string): Promise<boolean> {
  const row = await members(trx, organizationId)
    .select('m.user_id')
    .where('u.email', 'in', spellingsOf(email))
    .executeTakeFirst()
  return row !== undefined
}

export async function count(trx: Trx, organizationId: string): Promise<number> {
  const { count } = await members(trx, organizationId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Whether the organization has another owner than this user who can sign in. */
export async function hasOtherOwner(trx: Trx, organizationId: string, userId: string): Promise<boolean> {
  const row = await members(trx, organizationId)
    .select('m.user_id')
    .where('m.role', '=', 'owner')
    .where('u.status', '=', 'active')
    .where('m.user_id', '<>', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Adds a member. @returns false when the user is a member already */
export async function insert(
  trx: Trx,
  membership: { organizationId: string; userId: string; role: Role },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .withSchema('app')
    .insertInto('memberships')
    .values({
      organization_id: membership.organizationId,
      user_id: membership.userId,
      role: membership.role,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Revokes the data exports of an owner who is about to lose the role. They contain the organization's memories, and what is
 * erased later would remain in them.
 */
export async function revokeExports(trx: Trx, userId: string): Promise<void> {
  await sql`select app.revoke_exports_of(${userId})`.execute(trx)
}

export async function changeRole(
  trx: Trx,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('memberships')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}

export async function remove(trx: Trx, organizationId: string, userId: string): Promise<void> {
  await trx
    .withSchema('app')
    .deleteFrom('memberships')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}
