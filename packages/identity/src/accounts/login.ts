import { recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { accessTokenS } from '../tokens/lifetimes.ts'
import type { AccountsContext } from './context.ts'
import { writeDecoys } from './decoy-store.ts'
import { attemptLogin } from './login-attempt.ts'
import { attemptCode } from './mfa/attempt-code.ts'
import { passSecondFactor, type SecondFactorInput } from './mfa/second-factor.ts'
import { issueTokens, type StartedSession, signInDirectly, startSession, type Tokens } from './sessions.ts'
import { type Account, findAccount, lockUser, recordLogin, replacePasswordHash } from './user-store.ts'

export interface Login {
  /** In the normalized form of `mailboxOf`. */
  email: string
  password: string
  mfa_code?: string | null | undefined
  recovery_code?: string | null | undefined
}

export type LoginAnswer =
  | (Tokens & { mfa_required: false })
  | (Omit<Tokens, 'access_token' | 'refresh_token'> & {
      access_token: null
      refresh_token: null
      mfa_required: true
      mfa_token: string
    })

/**
 * Signs a user in by email and password. When a second factor is needed and no code was sent, answers with a challenge's token.
 * @throws ApiError invalid_login, invalid_mfa_code, account_suspended, account_deleted, too_many_attempts, unavailable
 */
export function login(context: AccountsContext, body: Login, origin: Origin): Promise<LoginAnswer> {
  const { passwords, throttle } = context
  const tried = { email: body.email, ip: origin.ip }
  const work = async (): Promise<LoginAnswer> => {
    const account = await checkPasswordOf(context, body, origin)
    if (account.status !== 'active') await recordFailure(context, account, origin)
    requireActive(account)
    const { mfa_code: mfaCode, recovery_code: recoveryCode } = body
    const begin = () => signIn(context, account, { mfaCode, recoveryCode }, origin)
    const hasCode = mfaCode != null || recoveryCode != null
    const signedIn = await (hasCode ? attemptCode(throttle, account.id, begin) : begin())
    if ('mfaToken' in signedIn) return mfaRequired(signedIn.mfaToken)
    return { ...(await issueTokens(context, signedIn)), mfa_required: false }
  }
  // A right password alone, without the second factor, must not clear earlier failures.
  const isSignedIn = ({ mfa_required }: LoginAnswer) => !mfa_required
  return passwords.attempt(() => attemptLogin(throttle, tried, work, isSignedIn))
}

/** @throws ApiError account_suspended, account_deleted */
export function requireActive({ status }: Account): void {
  if (status === 'deleted') throw new ApiError('account_deleted')
  if (status === 'suspended') throw new ApiError('account_suspended')
}

const mfaRequired = (mfaToken: string): LoginAnswer => ({
  access_token: null,
  refresh_token: null,
  token_type: 'bearer',
  expires_in: accessTokenS,
  mfa_required: true,
  mfa_token: mfaToken,
})

/** The account whose email and password these are. @throws ApiError invalid_login, unavailable */
async function checkPasswordOf(
  context: AccountsContext,
  { email, password }: Login,
  origin: Origin,
): Promise<Account> {
  const { lowPriorityQueries, passwords } = context
  const account = await findAccount(lowPriorityQueries, email)
  const { valid, outdated } = await passwords.verify(account?.password_hash, password)
  if (account !== undefined && valid) {
    if (!outdated) return account
    // The hash has changed since it was read, by a concurrent login or a new password: check again.
    return (
      (await upgrade(context, account, password)) ?? checkPasswordOf(context, { email, password }, origin)
    )
  }
  if (account === undefined) await writeDecoys(lowPriorityQueries, 1)
  else await recordFailure(context, account, origin)
  throw new ApiError('invalid_login')
}

/** Replaces an outdated password hash by one of the current cost. @returns undefined when the hash has changed meanwhile */
async function upgrade(
  context: AccountsContext,
  account: Account,
  password: string,
): Promise<Account | undefined> {
  const { lowPriorityQueries, passwords } = context
  const hash = await passwords.hash(password)
  const upgraded = await asTenant(lowPriorityQueries, { userId: account.id }, (trx) =>
    replacePasswordHash(trx, account.id, { old: account.password_hash, new: hash }),
  )
  return upgraded ? { ...account, password_hash: hash } : undefined
}

function recordFailure(
  { lowPriorityQueries }: AccountsContext,
  account: Account,
  origin: Origin,
): Promise<void> {
  return asTenant(lowPriorityQueries, { userId: account.id }, (trx) => insertFailure(trx, account, origin))
}

function insertFailure(trx: Trx, { id, email }: Account, origin: Origin): Promise<void> {
  return recordAudit(trx, {
    action: 'login_failed',
    success: false,
    actor: { kind: 'user', userId: null, email },
    origin,
    userId: id,
  })
}

/**
 * Starts a session for an account whose password was checked or, when a second factor is missing, a challenge.
 * @returns the session, or the token of the challenge
 * @throws ApiError invalid_login when the password or the account's status has changed meanwhile; invalid_mfa_code;
 *   invalid_token for a challenge that has ended; too_many_attempts
 */
export async function signIn(
  context: AccountsContext,
  account: Account,
  presented: SecondFactorInput,
  origin: Origin,
): Promise<StartedSession | { mfaToken: string }> {
  const { id: userId, email } = account
  await context.throttle.take([{ rule: 'signIn', of: [userId] }])
  if (presented.challenge === undefined) {
    const session = await signInDirectly(context.lowPriorityQueries, account, origin)
    if (session !== undefined) return session
  }
  const signedIn = await asTenant(context.lowPriorityQueries, { userId }, async (trx) => {
    const now = await lockUser(trx, userId)
    if (now?.password_hash !== account.password_hash || now.status !== 'active') {
      throw new ApiError('invalid_login')
    }
    const factor = await passSecondFactor(context, trx, account, presented, origin)
    if (factor.outcome === 'wrong') await insertFailure(trx, account, origin)
    if (factor.outcome !== 'passed') return factor
    await recordLogin(trx, userId)
    const session = await startSession(trx, userId, origin)
    await recordAudit(trx, {
      action: 'login',
      actor: { kind: 'user', userId, sessionId: session.sessionId, email },
      origin,
      userId,
    })
    return session
  })
  // Thrown only after the commit, which must keep the record of the wrong code.
  if ('outcome' in signedIn && signedIn.outcome === 'wrong') throw new ApiError('invalid_mfa_code')
  if ('outcome' in signedIn && signedIn.outcome === 'over') throw new ApiError('invalid_token')
  return signedIn
}
