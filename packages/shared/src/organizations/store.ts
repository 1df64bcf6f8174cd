import type { PlanName } from '../catalogue/plans.ts'
import type { Trx } from '../platform/database/database.ts'

export interface NewOrganization {
  id: string
  name: string
  plan: PlanName
}

/** Inserts an organization with its live and its test space. @returns false when it is there already. */
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

/** The plan of an organization, whose row stays locked until the transaction ends; undefined when there is none. */
export async function lockPlan(trx: Trx, id: string): Promise<PlanName | undefined> {
  const row = await trx
    .withSchema('app')
    .selectFrom('organizations')
    .select('plan')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.plan
}
