import { ApiError } from '@memory/shared/catalogue/errors'
import type { Input, Origin, Output } from '@memory/shared/catalogue/operation'
import { withTokenHash } from '@memory/shared/platform/database/database'
import { hashToken } from '../../tokens/single-use-token.ts'
import type { AccountsContext } from '../context.ts'
import { requireActive, signIn } from '../login.ts'
import { attemptLogin } from '../login-attempt.ts'
import { findChallenged } from '../mfa-store.ts'
import { issueTokens } from '../sessions.ts'
import { type Account, lockUser } from '../user-store.ts'
import { attemptCode } from './attempt-code.ts'
import type { MfaLogin } from './schema.ts'

/**
 * Finishes a sign-in whose password was right.
 * @throws ApiError invalid_token, invalid_mfa_code, account_suspended, account_deleted, too_many_attempts
 */
export async function mfaLogin(
  context: AccountsContext,
  { code, token }: Input<typeof MfaLogin>['body'],
  origin: Origin,
): Promise<Output<typeof MfaLogin>> {
  const { throttle } = context
  if (token == null) throw new ApiError('invalid_token')
  const challenge = hashToken(token)
  const account = await findAccount(context, challenge)
  const presented = /^[0-9]{6}$/.test(code) ? { mfaCode: code } : { recoveryCode: code }
  return attemptLogin(throttle, { email: account.email, ip: origin.ip }, () =>
    attemptCode(throttle, account.id, async () => {
      const signedIn = await signIn(context, account, { ...presented, challenge }, origin)
      if ('mfaToken' in signedIn) throw new Error('A code was presented.')
      return issueTokens(context, signedIn)
    }),
  )
}

/** The account that a challenge is of. @throws ApiError invalid_token, account_suspended, account_deleted */
function findAccount({ queries }: AccountsContext, tokenHash: Uint8Array): Promise<Account> {
  return withTokenHash(queries, { tokenHash }, async (trx, switchTenant) => {
    const userId = await findChallenged(trx, tokenHash)
    if (userId === undefined) throw new ApiError('invalid_token')
    await switchTenant({ userId })
    const account = await lockUser(trx, userId)
    if (account === undefined) throw new ApiError('invalid_token')
    requireActive(account)
    return account
  })
}
