import { ApiError } from '../catalogue/errors.ts'
import type { Origin } from '../catalogue/operation.ts'
import { enqueueMail } from '../mail/enqueue.ts'
import { asPresenter, asTenant, type Trx } from '../platform/database/database.ts'
import { recordAudit } from '../security/audit.ts'
import { deviceOf } from '../security/device.ts'
import type { AccountsContext } from './context.ts'
import type { LoginAnswer } from './login.ts'
import * as store from './session-store.ts'
import { issueTokens, newRefreshToken, type StartedSession } from './sessions.ts'
import { hashToken } from './single-use-token.ts'
import { findOrganization } from './user-store.ts'

/**
 * Exchanges a refresh token for new tokens; it works once. Presented again, it has been stolen by one of the two who
 * had it: the whole session ends, and its user is told. Who merely asked at the same time as another gets no tokens,
 * and the session goes on.
 * @param arrivedMs when the request arrived, on the scale of `performance.now()`
 * @throws ApiError invalid_token, token_revoked, token_expired, refresh_in_progress
 */
export async function refresh(
  context: AccountsContext,
  refreshToken: string,
  origin: Origin,
  arrivedMs: number,
): Promise<LoginAnswer> {
  const { queries } = context
  const hash = hashToken(refreshToken)
  const outcome = await asPresenter(queries, { tokenHash: hash }, async (trx, become) => {
    const presented = await store.findRefreshToken(trx, hash)
    if (presented === undefined) throw new ApiError('invalid_token')
    const { user_id: userId, session_id: sessionId } = presented
    await become({ userId })
    const next = newRefreshToken()
    if (await store.rotateRefreshToken(trx, userId, { spent: hash, next: next.hash })) {
      const organizationId = await findOrganization(trx, userId)
      return { userId, sessionId, organizationId, refreshToken: next.token } satisfies StartedSession
    }
    // What this answers is thrown after the commit: the end of a session must not be rolled back.
    return refuse(context, trx, { userId, sessionId, hash, arrivedMs }, origin)
  })
  if (outcome instanceof ApiError) throw outcome
  await asTenant(queries, { userId: outcome.userId }, (trx) =>
    store.settleRefreshToken(trx, outcome.userId, hash),
  )
  return { ...(await issueTokens(context, outcome)), mfa_required: false }
}

interface Refused {
  userId: string
  sessionId: string
  hash: Uint8Array
  arrivedMs: number
}

async function refuse(
  context: AccountsContext,
  trx: Trx,
  { userId, sessionId, hash, arrivedMs }: Refused,
  origin: Origin,
): Promise<ApiError> {
  const waitedMs = performance.now() - arrivedMs
  const { email, ...why } = await store.explainUnspendable(trx, userId, hash, waitedMs)
  if (why.revoked) return new ApiError('token_revoked')
  if (!why.spent) return new ApiError('token_expired')
  if (why.overlapped) return new ApiError('refresh_in_progress')
  await endStolenSession(context, trx, { userId, sessionId, email }, origin)
  return new ApiError('token_revoked')
}

async function endStolenSession(
  { clock, secrets }: AccountsContext,
  trx: Trx,
  { userId, sessionId, email }: { userId: string; sessionId: string; email: string },
  origin: Origin,
): Promise<void> {
  // Of several that present the token once more, the first tells the user.
  if (!(await store.revokeSession(trx, userId, sessionId))) return
  await recordAudit(trx, {
    action: 'token_refresh_reuse',
    success: false,
    actor: { kind: 'user', userId, sessionId, email },
    origin,
    userId,
    target: sessionId,
  })
  await enqueueMail(trx, secrets, {
    to: email,
    template: 'refresh-token-reuse',
    parameters: { at: clock.now().toISOString(), ip: origin.ip, device: deviceOf(origin.userAgent) },
    userId,
  })
}
