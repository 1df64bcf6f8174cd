import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

export interface NewOrganization {
  id: string
  name: string
  plan: PlanName
}

/** Inserts an organization with its live and test spaces. @returns false when it exists already */
export async function insert(trx: Trx, organization: NewOrganization): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .withSchema('app')
    .insertInto('organizations')
    .values(organization)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return false
  await trx
    .withSchema('app')
    .insertInto('spaces')
    .values([
      { organization_id: organization.id, environment: 'live' },
      { organization_id: organization.id, environment: 'test' },
    ])
    .execute()
  return true
}

/**
 * The plan of an organization; undefined when it does not exist or is deleted. Its row is locked until the transaction ends, but
 * rows that refer to it may be added meanwhile (FOR NO KEY UPDATE).
 */
export async function lockPlan(trx: Trx, id: string): Promise<PlanName | undefined> {
  const row = await trx
    .withSchema('app')
    .selectFrom('organizations')
    .select('plan')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.plan
}

const shown = [
  'o.id',
  'o.name',
  'o.plan',
  'o.created_at',
  'o.subject_patterns',
  'o.subject_queries_per_day',
] as const

/** The properties of an organization that an administrator may change. */
export interface OrganizationChange {
  name?: string
  subject_patterns?: number | null
  subject_queries_per_day?: number | null
}

/** An organization that is not deleted. */
export function find(trx: Trx, id: string) {
  return trx
    .withSchema('app')
    .selectFrom('organizations as o')
    .select(shown)
    .where('o.id', '=', id)
    .where('o.deleted_at', 'is', null)
    .executeTakeFirst()
}

export type Organization = NonNullable<Awaited<ReturnType<typeof find>>>

/** Ids of the spaces of an organization, which must be the tenant. */
export async function listSpaces(trx: Trx, organizationId: string): Promise<string[]> {
  const rows = await trx
    .withSchema('app')
    .selectFrom('spaces')
    .select('id')
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.map(({ id }) => id)
}

/** The organizations of a user, oldest membership first. */
export function listOf(trx: Trx, userId: string) {
  return trx
    .withSchema('app')
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(shown)
    .select('m.role')
    .where('m.user_id', '=', userId)
    .where('o.deleted_at', 'is', null)
    .orderBy('m.joined_at')
    .orderBy('o.id')
    .execute()
}

/** Changes an organization. @returns undefined when it does not exist or is deleted */
export function change(trx: Trx, id: string, change: OrganizationChange): Promise<Organization | undefined> {
  return trx
    .withSchema('app')
    .updateTable('organizations as o')
    .set(change)
    .where('o.id', '=', id)
    .where('o.deleted_at', 'is', null)
    .returning(shown)
    .executeTakeFirst()
}

/** The plan, and the time of the event or change that decided it, also of a deleted organization. Locks the row. */
export function lockBilling(trx: Trx, id: string) {
  return trx
    .withSchema('app')
    .selectFrom('organizations')
    .select(['plan', 'billed_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function changeBilledAt(trx: Trx, id: string, at: Date): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('organizations')
    .set({ billed_at: at })
    .where('id', '=', id)
    .execute()
}

/** Changes the plan of the tenant, and notifies it when it now exceeds limits of a smaller plan. */
export async function changePlan(trx: Trx, id: string, from: PlanName, to: PlanName): Promise<void> {
  await sql`select app.change_plan(${id}, ${from}, ${to})`.execute(trx)
}
