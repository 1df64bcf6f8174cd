import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Input, Output, SignedIn } from '@memory/shared/catalogue/operation'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { asTenant } from '@memory/shared/platform/database/database'
import type { AccountsContext } from './context.ts'
import { attemptLogin } from './login-attempt.ts'
import { checkPassword } from './password-rules.ts'
import type { ChangePassword } from './profile-schema.ts'
import * as store from './profile-store.ts'
import { revokeSessions } from './session-store.ts'
import { replacePasswordHash } from './user-store.ts'

/**
 * Changes the caller's password and ends all their other sessions.
 * @throws ApiError wrong_password, too_many_attempts; ValidationError for a new password that is not allowed
 */
export async function changePassword(
  context: AccountsContext,
  caller: SignedIn,
  { current_password, new_password }: Input<typeof ChangePassword>['body'],
): Promise<Output<typeof ChangePassword>> {
  const { queries, clock, secrets, passwords, settings } = context
  const { userId, sessionId, email, origin } = caller
  checkPassword(new_password, email, settings.passwordBlocklist, ['body', 'new_password'])
  const old = await confirmPassword(context, caller, current_password)
  const changed = { old, new: await passwords.hash(new_password) }
  await asTenant(queries, { userId }, async (trx) => {
    if (!(await replacePasswordHash(trx, userId, changed))) throw new ApiError('wrong_password')
    await store.voidPending(trx, userId)
    await revokeSessions(trx, userId, sessionId)
    await recordAudit(trx, {
      action: 'password_changed',
      actor: actorOf(caller),
      origin,
      userId,
    })
    const parameters = { at: clock.now().toISOString(), ip: origin.ip }
    await enqueueMail(trx, secrets, { to: email, template: 'password-changed', parameters, userId })
  })
  return { message: 'Password changed' }
}

/**
 * Checks the current password, with the limit of attempts of signing in: a stolen session must not help to guess it.
 * @returns the password's hash @throws ApiError wrong_password, too_many_attempts
 */
function confirmPassword(
  { queries, passwords, throttle }: AccountsContext,
  caller: SignedIn,
  password: string,
): Promise<string> {
  const { userId, email, origin } = caller
  const check = async (): Promise<string> => {
    const hash = await asTenant(queries, { userId }, (trx) => store.findPasswordHash(trx, userId))
    const { valid } = await passwords.verify(hash, password)
    if (valid && hash !== undefined) return hash
    await asTenant(queries, { userId }, (trx) =>
      recordAudit(trx, {
        action: 'password_changed',
        actor: actorOf(caller),
        origin,
        userId,
        success: false,
      }),
    )
    throw new ApiError('wrong_password')
  }
  // A right password alone, without the second factor, must not clear earlier failures.
  return attemptLogin(throttle, { email, ip: origin.ip }, check, () => false)
}
