import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Role } from '@memory/shared/catalogue/roles'
import { asTenant } from '@memory/shared/platform/database/database'
import type { User } from '../support/accounts.ts'
import type { TestServer } from '../support/server.ts'

type Owner = Pick<User, 'organizationId'>

/** Changes the plan of a user's organization, without asking anybody. */
export async function setPlan(server: TestServer, { organizationId }: Owner, plan: PlanName): Promise<void> {
  await asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .updateTable('organizations')
      .set({ plan })
      .where('id', '=', organizationId)
      .execute(),
  )
}

/** Makes somebody a member without an invitation. */
export async function addMember(
  server: TestServer,
  { organizationId }: Owner,
  { userId }: Pick<User, 'userId'>,
  role: Role,
): Promise<void> {
  await asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .insertInto('memberships')
      .values({ organization_id: organizationId, user_id: userId, role })
      .execute(),
  )
}

/** The organization's audit entries whose action matches, oldest first. */
export function auditOf(server: TestServer, { organizationId }: Owner, action: RegExp) {
  return asTenant(server.context.database.queries, { organizationId }, async (trx) => {
    const rows = await trx
      .withSchema('app')
      .selectFrom('audit_log')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    return rows.filter((row) => action.test(row.action))
  })
}
