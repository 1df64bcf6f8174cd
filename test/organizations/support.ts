import type { EventType } from '@memory/shared/catalogue/events'
import type { PlanName } from '@memory/shared/catalogue/plans'
import type { Role } from '@memory/shared/catalogue/roles'
import { asTask, asTenant } from '@memory/shared/platform/database/database'
import type { Environment } from '@memory/shared/platform/database/tables'
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
  joinedAt = new Date(),
): Promise<void> {
  await asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .insertInto('memberships')
      .values({ organization_id: organizationId, user_id: userId, role, joined_at: joinedAt })
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

/** The mails that wait to be sent to an address, oldest first. */
export function mailsTo(server: TestServer, email: string) {
  const { queries, secrets } = server.context.accounts
  return asTask(queries, 'send-mail', async (trx) => {
    const rows = await trx
      .withSchema('app')
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', email)
      .orderBy('created_at')
      .execute()
    return rows.map(({ id, template, parameters }) => ({
      template,
      parameters: JSON.parse(new TextDecoder().decode(secrets.open(parameters, { purpose: 'mail', id }))),
    }))
  })
}

/** The token in the newest invitation to an address. */
export async function invitationToken(server: TestServer, email: string): Promise<string> {
  const invitations = (await mailsTo(server, email)).filter(({ template }) => template === 'invitation')
  const [, token = ''] = invitations.at(-1)?.parameters.link.split('#token=') ?? []
  return token
}

/** Events of a type that wait in the outbox, oldest first. */
export function outboxOf(server: TestServer, { organizationId }: Owner, type: EventType) {
  return asTask(server.context.database.queries, 'relay-outbox', (trx) =>
    trx
      .withSchema('app')
      .selectFrom('outbox')
      .select(['type', 'payload'])
      .where('organization_id', '=', organizationId)
      .where('type', '=', type)
      .orderBy('id')
      .execute(),
  )
}

/** Makes a space look as if it held this many patterns. */
export async function setPatternsUsed(
  server: TestServer,
  { organizationId }: Owner,
  used: number,
  environment: Environment = 'live',
): Promise<void> {
  await asTenant(server.context.database.queries, { organizationId }, (trx) =>
    trx
      .withSchema('app')
      .updateTable('spaces')
      .set({ patterns_used: used })
      .where('organization_id', '=', organizationId)
      .where('environment', '=', environment)
      .execute(),
  )
}
