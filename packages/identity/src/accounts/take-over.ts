import { recordAudit } from '@memory/shared/audit/audit'
import type { AuditAction } from '@memory/shared/catalogue/audit-actions'
import type { Origin } from '@memory/shared/catalogue/operation'
import type { PlanName } from '@memory/shared/catalogue/plans'
import type { EndedWithReset } from '@memory/shared/mail/catalogue'
import type { Trx } from '@memory/shared/platform/database/database'
import { foundOrganization } from '../organizations/service.ts'
import { nameOfOrganization } from './organization-name.ts'
import { proveAddress } from './prove-address.ts'
import { type Ended, type EndedKind, endUnproven } from './take-over-store.ts'
import { type Account, findOrganization, lockUser } from './user-store.ts'

/**
 * Locks the account whose password is about to be set anew by a mailed token. If nobody had shown the address to be theirs until now,
 * ends what was set up under it.
 * @param trx whose tenant is the user
 */
export async function lockToTakeOver(
  trx: Trx,
  userId: string,
): Promise<{ account: Account | undefined; ended: Ended[] }> {
  // In this order: organizations are always locked before users.
  const ended = await endUnproven(trx, userId)
  return { account: await lockUser(trx, userId), ended }
}

/** The actions of the audit log for what ends. */
const actions: Record<EndedKind, AuditAction> = {
  key: 'key_revoked',
  webhook: 'webhook_disabled',
  invitation: 'invitation_withdrawn',
  member: 'member_removed',
}

/**
 * Completes the first reset of an account whose address was not verified: the address is verified by it, the organizations' logs say
 * what ended, and who is left without an organization gets a new one.
 * @param trx whose tenant is the user and the new organization, should there be one
 * @returns how many things of each kind ended
 */
export async function takeOver(
  trx: Trx,
  { platformAdmins, defaultPlan }: { platformAdmins: ReadonlySet<string>; defaultPlan: PlanName },
  { id: userId, email }: Account,
  {
    ended,
    newOrganizationId,
    origin,
  }: { ended: readonly Ended[]; newOrganizationId: string; origin: Origin },
): Promise<EndedWithReset> {
  const actor = { kind: 'user', userId, email } as const
  await proveAddress(trx, platformAdmins, { id: userId, email }, 'reset', origin)
  for (const { organization_id, kind, target, details } of ended) {
    await recordAudit(trx, {
      action: actions[kind],
      actor,
      origin,
      organizationId: organization_id,
      userId,
      target,
      details: { ...details, by: 'password_reset' },
    })
  }
  if ((await findOrganization(trx, userId)) === null) {
    const name = nameOfOrganization(null, email)
    await foundOrganization(trx, { id: newOrganizationId, name, plan: defaultPlan }, userId)
  }
  return countByKind(ended)
}

const countByKind = (ended: readonly Ended[]): EndedWithReset =>
  Object.fromEntries([...Map.groupBy(ended, ({ kind }) => kind)].map(([kind, some]) => [kind, some.length]))
