import { ApiError } from '../catalogue/errors.ts'
import type { Origin } from '../catalogue/operation.ts'
import { asPresenter, asTenant } from '../platform/database/database.ts'
import { recordAudit } from '../security/audit.ts'
import type { AccountsContext } from './context.ts'
import { writeDecoys } from './decoy-store.ts'
import { attemptLogin } from './login-attempt.ts'
import { issueTokens, type StartedSession, startSession, type Tokens } from './sessions.ts'
import { type Account, findByEmail, lockUser, noteLogin, upgradePasswordHash } from './user-store.ts'

export interface Login {
  /** In lower case. */
  email: string
  password: string
  mfa_code?: string | null | undefined
  recovery_code?: string | null | undefined
}

export type LoginAnswer = Tokens & { mfa_required: false }

/**
 * Signs a user in.
 * @throws ApiError invalid_login, account_suspended, account_deleted, too_many_attempts, unavailable
 */
export function login(context: AccountsContext, body: Login, origin: Origin): Promise<LoginAnswer> {
  const { throttle } = context
  return attemptLogin(throttle, { email: body.email, ip: origin.ip }, async () => {
    const account = await checkPasswordOf(context, body, origin)
    if (account.status === 'deleted') throw new ApiError('account_deleted')
    if (account.status === 'suspended') throw new ApiError('account_suspended')
    const session = await signIn(context, account, origin)
    return { ...(await issueTokens(context, session)), mfa_required: false }
  })
}

/** The account whose email and password these are. @throws ApiError invalid_login, unavailable */
async function checkPasswordOf(
  context: AccountsContext,
  { email, password }: Login,
  origin: Origin,
): Promise<Account> {
  const { queries, passwords } = context
  const account = await asPresenter(queries, { email }, (trx) => findByEmail(trx, email))
  const { valid, outdated } = await passwords.verify(account?.password_hash, password)
  if (account !== undefined && valid) return outdated ? upgrade(context, account, password) : account
  if (account === undefined) await writeDecoys(queries, 1)
  else await recordFailure(context, account, origin)
  throw new ApiError('invalid_login')
}

/** Keeps the password under a hash that costs what hashes cost now. */
async function upgrade(context: AccountsContext, account: Account, password: string): Promise<Account> {
  const { queries, passwords } = context
  const hash = await passwords.hash(password)
  const upgraded = await asTenant(queries, { userId: account.id }, (trx) =>
    upgradePasswordHash(trx, account.id, { old: account.password_hash, new: hash }),
  )
  return upgraded ? { ...account, password_hash: hash } : account
}

function recordFailure({ queries }: AccountsContext, account: Account, origin: Origin): Promise<void> {
  const { id, email } = account
  return asTenant(queries, { userId: id }, (trx) =>
    recordAudit(trx, {
      action: 'login_failed',
      success: false,
      actor: { kind: 'user', userId: null, email },
      origin,
      userId: id,
    }),
  )
}

/**
 * Begins a session of an account whose credentials were all checked.
 * @throws ApiError invalid_login when the password, or what the account may do, has changed meanwhile
 */
export function signIn(context: AccountsContext, account: Account, origin: Origin): Promise<StartedSession> {
  const { id: userId, email } = account
  return asTenant(context.queries, { userId }, async (trx) => {
    const now = await lockUser(trx, userId)
    if (now?.password_hash !== account.password_hash || now.status !== 'active') {
      throw new ApiError('invalid_login')
    }
    await noteLogin(trx, userId)
    const session = await startSession(trx, userId, origin)
    await recordAudit(trx, {
      action: 'login',
      actor: { kind: 'user', userId, sessionId: session.sessionId, email },
      origin,
      userId,
    })
    return session
  })
}
