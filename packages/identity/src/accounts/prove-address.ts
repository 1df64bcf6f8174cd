import { recordAudit } from '@memory/shared/audit/audit'
import { mailboxOf } from '@memory/shared/catalogue/mailbox'
import type { Origin } from '@memory/shared/catalogue/operation'
import type { Trx } from '@memory/shared/platform/database/database'
import { markVerified } from './user-store.ts'

/**
 * What shows that somebody reads the mail of an address: each is a token that is mailed there and shown nowhere else. With a link to
 * verify the address and with an invitation they vouch for the account as it is; with a reset they take it over (`takeOver`).
 */
export type Proof = 'link' | 'reset' | 'invitation'

/** Marks the address of a user, who must be the transaction's tenant, as verified, with an entry in the audit log. */
export async function proveAddress(
  trx: Trx,
  platformAdmins: ReadonlySet<string>,
  { id: userId, email }: { id: string; email: string },
  by: Proof,
  origin: Origin,
): Promise<void> {
  await markVerified(trx, userId, platformAdmins.has(mailboxOf(email)))
  await recordAudit(trx, {
    action: 'email_verified',
    actor: { kind: 'user', userId, email },
    origin,
    userId,
    details: { by },
  })
}
