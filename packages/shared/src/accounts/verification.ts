import { ApiError } from '../catalogue/errors.ts'
import type { Origin } from '../catalogue/operation.ts'
import { enqueueMail } from '../mail/enqueue.ts'
import { asPresenter, asTenant, type Trx } from '../platform/database/database.ts'
import { recordAudit } from '../security/audit.ts'
import { mailRequestAttempts } from '../throttle/attempts.ts'
import type { AccountsContext } from './context.ts'
import { writeDecoys } from './decoy-store.ts'
import { findTokenOwner, putEmailToken, useEmailToken } from './email-token-store.ts'
import { hashToken, newToken } from './single-use-token.ts'
import { findByEmail, lockUser, markVerified } from './user-store.ts'

/** Rows that `sendVerification` writes. */
const rowsOfMail = 3

/** Mails a link that verifies an address, to a user who is the transaction's tenant. */
export async function sendVerification(
  { secrets, settings }: AccountsContext,
  trx: Trx,
  user: { id: string; email: string },
): Promise<void> {
  const { token, hash } = newToken('verify')
  await putEmailToken(trx, user.id, 'verify-email', hash)
  await enqueueMail(trx, secrets, {
    to: user.email,
    template: 'verify-email',
    parameters: { link: `${settings.publicBaseUrl}/verify-email#token=${token}` },
    userId: user.id,
  })
}

/** Mails another link, where there is an address to verify. The answer and its time tell nobody whether there is. */
export async function resendVerification(context: AccountsContext, email: string, origin: Origin) {
  const { queries, throttle } = context
  const answer = {
    message: 'If this address has an account that is not verified, a link has been sent to it.',
  }
  // Whoever asks too often causes no writes at all, whatever they ask for.
  if (!(await throttle.tryTake(mailRequestAttempts(origin.ip)))) return answer
  const allowed = await throttle.tryTake([{ rule: 'verificationMail', of: [email] }])
  const account = await asPresenter(queries, { email }, (trx) => findByEmail(trx, email))
  if (allowed && account?.status === 'active' && account.email_verified_at === null) {
    await asTenant(queries, { userId: account.id }, (trx) => sendVerification(context, trx, account))
  } else {
    await writeDecoys(queries, rowsOfMail)
  }
  return answer
}

/** @throws ApiError invalid_token, token_revoked */
export async function verifyEmail({ queries }: AccountsContext, token: string, origin: Origin) {
  const hash = hashToken(token)
  await asPresenter(queries, { tokenHash: hash }, async (trx, become) => {
    const userId = await findTokenOwner(trx, 'verify-email', hash)
    if (userId === undefined) throw new ApiError('invalid_token')
    await become({ userId })
    const account = await lockUser(trx, userId)
    if (account?.status !== 'active') throw new ApiError('token_revoked')
    if (!(await useEmailToken(trx, userId, 'verify-email', hash))) throw new ApiError('invalid_token')
    await markVerified(trx, userId)
    await recordAudit(trx, {
      action: 'email_verified',
      actor: { kind: 'user', userId, email: account.email },
      origin,
      userId,
    })
  })
  return { message: 'Email address verified' }
}
