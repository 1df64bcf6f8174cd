import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import { faults } from '@memory/shared/catalogue/fields-faults'
import type { Input, Output, SignedIn } from '@memory/shared/catalogue/operation'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import type { AccountsContext } from '../context.ts'
import { attemptLogin } from '../login-attempt.ts'
import * as store from '../mfa-store.ts'
import { revokeSessions } from '../session-store.ts'
import { lockUser } from '../user-store.ts'
import { attemptCode } from './attempt-code.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import type { DisableMfa, EnableMfa, SetUpMfa, VerifyMfa } from './schema.ts'
import { openSeed, sealSeed, useRecoveryCode } from './second-factor.ts'
import { enrolmentUri, newSeed, stepOfCode } from './totp.ts'

/** Begins an enrolment; one that has begun already is left as it is. @throws ApiError mfa_enabled */
export async function enableMfa(
  context: AccountsContext,
  caller: SignedIn,
): Promise<Output<typeof EnableMfa>> {
  await beginEnrolment(context, caller)
  return { message: 'MFA enrolment started: set up an authenticator app, then verify a code of it.' }
}

/** Returns the secret of the enrolment, which is begun if it has not been yet. @throws ApiError mfa_enabled */
export async function setUpMfa(context: AccountsContext, caller: SignedIn): Promise<Output<typeof SetUpMfa>> {
  const secret = await beginEnrolment(context, caller)
  return {
    secret,
    otpauth_uri: enrolmentUri(secret, caller.email),
    message: 'Enter the secret into an authenticator app, then verify a code of it.',
  }
}

/** @returns the seed of the enrolment, a new or an existing one */
function beginEnrolment({ queries, secrets }: AccountsContext, { userId }: SignedIn): Promise<string> {
  return asTenant(queries, { userId }, async (trx) => {
    // A change of the password ends an enrolment. The lock makes it happen entirely before or after this.
    await lockUser(trx, userId)
    await store.insertFactor(trx, userId, sealSeed(secrets, userId, newSeed()))
    const factor = await store.findFactor(trx, userId)
    if (factor === undefined) throw new Error('The factor is gone.')
    if (factor.confirmed_at !== null) throw new ApiError('mfa_enabled')
    return openSeed(secrets, userId, factor.secret)
  })
}

/**
 * Turns MFA on with a first code, and ends the other sessions.
 * @throws ApiError invalid_mfa_code, mfa_enabled, mfa_not_enrolling, too_many_attempts
 */
export function verifyMfa(
  context: AccountsContext,
  caller: SignedIn,
  code: string,
): Promise<Output<typeof VerifyMfa>> {
  const { clock, secrets } = context
  const { userId, sessionId, email, origin } = caller
  return withCode(context, caller, 'mfa_enabled', async (trx) => {
    const factor = await store.findFactor(trx, userId)
    if (factor === undefined) throw new ApiError('mfa_not_enrolling')
    if (factor.confirmed_at !== null) throw new ApiError('mfa_enabled')
    if (!isCodeOf(context, userId, factor, code)) return undefined
    await store.confirmFactor(trx, userId)
    const codes = newRecoveryCodes()
    await store.replaceRecoveryCodes(trx, userId, codes.map(hashRecoveryCode))
    await revokeSessions(trx, userId, sessionId)
    const parameters = { at: clock.now().toISOString(), ip: origin.ip }
    await enqueueMail(trx, secrets, { to: email, template: 'mfa-enabled', parameters, userId })
    return {
      message: 'MFA enabled. Keep the recovery codes: they are not shown again, and each works once.',
      recovery_codes: codes,
    }
  })
}

/**
 * Turns MFA off, by a code of the app or a recovery code.
 * @throws ApiError invalid_mfa_code, mfa_not_enabled, too_many_attempts; ValidationError when there is no code
 */
export async function disableMfa(
  context: AccountsContext,
  caller: SignedIn,
  body: Input<typeof DisableMfa>['body'],
): Promise<Output<typeof DisableMfa>> {
  const { clock, secrets } = context
  const { userId, email, origin } = caller
  const { code, recovery_code: recoveryCode } = body
  if (code == null && recoveryCode == null) {
    const { type, msg } = faults.missing
    throw new ValidationError([{ type, loc: ['body', 'code'], msg, input: null }])
  }
  return withCode(context, caller, 'mfa_disabled', async (trx) => {
    const factor = await store.findFactor(trx, userId)
    if (factor === undefined || factor.confirmed_at === null) throw new ApiError('mfa_not_enabled')
    const isRight =
      code == null
        ? await useRecoveryCode(trx, { id: userId, email }, recoveryCode ?? '', origin)
        : isCodeOf(context, userId, factor, code)
    if (!isRight) return undefined
    await store.removeFactor(trx, userId)
    const parameters = { at: clock.now().toISOString(), ip: origin.ip }
    await enqueueMail(trx, secrets, { to: email, template: 'mfa-disabled', parameters, userId })
    return { message: 'MFA disabled' }
  })
}

function isCodeOf(
  { secrets, clock }: AccountsContext,
  userId: string,
  factor: store.Factor,
  code: string,
): boolean {
  return stepOfCode(openSeed(secrets, userId, factor.secret), code, clock.now()) !== undefined
}

/**
 * Runs `work`, which checks a code and acts on it, in a transaction with the caller's account locked, and records it in the audit
 * log. `work` returns undefined for a wrong code.
 */
async function withCode<T>(
  { queries, throttle }: AccountsContext,
  caller: SignedIn,
  action: 'mfa_enabled' | 'mfa_disabled',
  work: (trx: Trx) => Promise<T | undefined>,
): Promise<T> {
  const { userId, email, origin } = caller
  const check = async (): Promise<T> => {
    const done = await asTenant(queries, { userId }, async (trx) => {
      await lockUser(trx, userId)
      const result = await work(trx)
      await recordAudit(trx, {
        action,
        actor: actorOf(caller),
        origin,
        userId,
        success: result !== undefined,
      })
      return result
    })
    if (done === undefined) throw new ApiError('invalid_mfa_code')
    return done
  }
  // The same limit of attempts as for signing in, so that a stolen session can't be used to guess codes.
  return attemptLogin(
    throttle,
    { email, ip: origin.ip },
    () => attemptCode(throttle, userId, check),
    () => false,
  )
}
