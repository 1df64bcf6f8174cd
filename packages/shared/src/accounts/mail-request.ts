import type { Origin } from '../catalogue/operation.ts'
import { asTenant, type Trx } from '../platform/database/database.ts'
import { mailRequestAttempts } from '../throttle/attempts.ts'
import type { RuleName } from '../throttle/rules.ts'
import type { AccountsContext } from './context.ts'
import { writeDecoys } from './decoy-store.ts'
import { type Account, findPresented } from './user-store.ts'

/** A mail that anybody may ask for, to any address. */
export interface MailRequest {
  /** How often for one address. */
  rule: RuleName
  isDue(account: Account): boolean
  /** Sends it to the transaction's tenant. */
  send(trx: Trx, account: Account): Promise<void>
  /** Rows that `send` writes; as many are written where it is not sent. */
  rows: number
}

/** Sends a mail where there is an account that it is due to, in a time that tells nobody whether there is. */
export async function mailWhereDue(
  { queries, throttle }: AccountsContext,
  email: string,
  origin: Origin,
  { rule, isDue, send, rows }: MailRequest,
): Promise<void> {
  // Whoever asks too often causes no writes at all, whatever they ask for.
  if (!(await throttle.tryTake(mailRequestAttempts(origin.ip)))) return
  const allowed = await throttle.tryTake([{ rule, of: [email] }])
  const account = await findPresented(queries, email)
  if (allowed && account?.status === 'active' && isDue(account)) {
    await asTenant(queries, { userId: account.id }, (trx) => send(trx, account))
  } else {
    await writeDecoys(queries, rows)
  }
}
