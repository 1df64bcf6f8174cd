import { randomUUID } from 'node:crypto'
import type { PlanName } from '../catalogue/plans.ts'
import { asTenant, type Queries, type Trx } from '../platform/database/database.ts'

/** Makes an organization with its live and its test space. @returns its id. */
export async function createOrganization(queries: Queries, name: string, plan: PlanName): Promise<string> {
  const id = randomUUID()
  await asTenant(queries, { organizationId: id }, (trx) => insertOrganization(trx, { id, name, plan }))
  return id
}

/** @returns false when the organization is there already. */
export async function insertOrganization(
  trx: Trx,
  organization: { id: string; name: string; plan: PlanName },
): Promise<boolean> {
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
