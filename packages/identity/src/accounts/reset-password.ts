import { randomUUID } from 'node:crypto'
import { recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import type { EndedWithReset } from '@memory/shared/mail/catalogue'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { asTenant, type Trx, withTokenHash } from '@memory/shared/platform/database/database'
import { loginAttempts } from '@memory/shared/throttle/attempts'
import { hashToken, newToken } from '../tokens/single-use-token.ts'
import type { AccountsContext, LinkContext } from './context.ts'
import { putEmailToken, useEmailToken } from './email-token-store.ts'
import { requestMail } from './mail-request.ts'
import { checkPassword } from './password-rules.ts'
import { voidPending } from './profile-store.ts'
import { revokeSessions } from './session-store.ts'
import { lockToTakeOver, takeOver } from './take-over.ts'
import { lockTokenOwner } from './token-owner.ts'
import { type Account, setPasswordHash } from './user-store.ts'

/** Mails a link to set a new password, if the address has an account. Neither answer nor time reveal whether it has. */
export async function forgotPassword(context: AccountsContext, email: string, origin: Origin) {
  await requestMail(context, 'reset-password', email, origin)
  return { message: 'If this address has an account, a link to set a new password has been sent to it.' }
}

/** Mails a user a link to set a new password. The user must be the transaction's tenant. */
export async function sendReset(
  { secrets, publicBaseUrl }: LinkContext,
  trx: Trx,
  { id: userId, email, email_verified_at }: Account,
  origin: Origin,
): Promise<void> {
  const { token, hash } = newToken('reset')
  await putEmailToken(trx, userId, 'reset-password', hash)
  const link = `${publicBaseUrl}/reset-password#token=${token}`
  await enqueueMail(trx, secrets, {
    to: email,
    template: 'reset-password',
    parameters: { link, ip: origin.ip, isVerified: email_verified_at !== null },
    userId,
  })
  await recordAudit(trx, {
    action: 'password_reset_requested',
    // No user id: anybody may have sent the request.
    actor: { kind: 'user', userId: null, email },
    origin,
    userId,
  })
}

/**
 * Sets a new password by a mailed token, and ends all sessions. It does not sign the user in, so that a second factor is still
 * needed. The first time that anybody shows the address to be theirs, it also ends what was set up under it before (`takeOver`).
 * @throws ApiError invalid_token, token_revoked, unavailable; ValidationError for a password that is not allowed, which
 *   leaves the token usable
 */
export async function resetPassword(
  context: AccountsContext,
  { token, new_password }: { token: string; new_password: string },
  origin: Origin,
) {
  const { queries, passwords, settings, throttle } = context
  const hash = hashToken(token)
  const { id: userId, email } = await withTokenHash(queries, { tokenHash: hash }, (trx, switchTenant) =>
    lockTokenOwner(trx, switchTenant, 'reset-password', hash),
  )
  checkPassword(new_password, email, settings.passwordBlocklist, ['body', 'new_password'])
  const passwordHash = await passwords.hash(new_password)
  const newOrganizationId = randomUUID()
  await asTenant(queries, { userId, organizationId: newOrganizationId }, async (trx) => {
    const { account, ended } = await lockToTakeOver(trx, userId)
    if (account?.status !== 'active') throw new ApiError('token_revoked')
    if (!(await useEmailToken(trx, userId, 'reset-password', hash))) throw new ApiError('invalid_token')
    await setPasswordHash(trx, userId, passwordHash)
    await voidPending(trx, userId)
    await revokeSessions(trx, userId)
    const isFirstProof = account.email_verified_at === null
    const counts = isFirstProof
      ? await takeOver(trx, settings, account, { ended, newOrganizationId, origin })
      : undefined
    await announceReset(context, trx, { userId, email, ended: counts }, origin)
  })
  // Clears the failed attempts with the old password, so that the user can sign in at once. Failing to clear them is no error.
  const { pair, ofMailbox } = loginAttempts(email, origin.ip)
  await throttle.clear([pair, ofMailbox]).catch(() => {})
  return { message: 'Password changed. Sign in with the new one.' }
}

async function announceReset(
  { clock, secrets }: AccountsContext,
  trx: Trx,
  { userId, email, ended }: { userId: string; email: string; ended: EndedWithReset | undefined },
  origin: Origin,
): Promise<void> {
  await recordAudit(trx, {
    action: 'password_reset',
    actor: { kind: 'user', userId, email },
    origin,
    userId,
    details: ended && { ended },
  })
  await enqueueMail(trx, secrets, {
    to: email,
    template: 'password-changed',
    parameters: { at: clock.now().toISOString(), ip: origin.ip, ended },
    userId,
  })
}
