import { ApiError } from '../catalogue/errors.ts'
import type { Origin } from '../catalogue/operation.ts'
import { asPresenter, asTenant } from '../platform/database/database.ts'
import { recordAudit } from '../security/audit.ts'
import { loginAttempts } from '../throttle/attempts.ts'
import type { AccountsContext } from './context.ts'
import { issueTokens, type StartedSession, startSession, type Tokens } from './sessions.ts'
import { type Account, findByEmail, lockUser, noteLogin } from './user-store.ts'

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
export async function login(context: AccountsContext, body: Login, origin: Origin): Promise<LoginAnswer> {
  const { throttle } = context
  const { pair, all } = loginAttempts(body.email, origin.ip)
  await throttle.take(all)
  const account = await checkPasswordOf(context, body, origin)
  if (account.status !== 'active') {
    await throttle.giveBack(all)
    throw new ApiError(account.status === 'deleted' ? 'account_deleted' : 'account_suspended')
  }
  const session = await signIn(context, account, origin)
  await throttle.settle(
    all.filter((attempt) => attempt !== pair),
    [pair],
  )
  return { ...(await issueTokens(context, session)), mfa_required: false }
}

/** The account whose email and password these are. */
async function checkPasswordOf(
  context: AccountsContext,
  { email, password }: Login,
  origin: Origin,
): Promise<Account> {
  const { queries, passwords } = context
  const account = await asPresenter(queries, { email }, (trx) => findByEmail(trx, email))
  const { valid } = await passwords.verify(account?.password_hash, password)
  if (account !== undefined && valid) return account
  if (account !== undefined) {
    await asTenant(queries, { userId: account.id }, (trx) =>
      recordAudit(trx, {
        action: 'login_failed',
        success: false,
        actor: { kind: 'user', userId: null, email },
        origin,
        userId: account.id,
      }),
    )
  }
  throw new ApiError('invalid_login')
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
