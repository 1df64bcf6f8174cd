import { setImmediate, setTimeout } from 'node:timers/promises'
import { recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { asTenant, type Trx, withTokenHash } from '@memory/shared/platform/database/database'
import { deviceOf } from '../security/device.ts'
import { hashToken } from '../tokens/single-use-token.ts'
import type { AccountsContext } from './context.ts'
import type { LoginAnswer } from './login.ts'
import * as store from './session-store.ts'
import { issueTokens, newRefreshToken, type StartedSession } from './sessions.ts'
import { findOrganization } from './user-store.ts'

/**
 * The answer leaves so long after the token was spent. Two tabs of a browser, or a client and its retry, send their
 * requests together, but a busy machine reads the second one late: by then it has been read, by whichever process.
 */
const overlapMs = 50

/** Turns of the event loop: one takes a connection that waits, the next reads from it. */
const turnsMin = 3
/** A busy process has no short one. */
const turnsMax = 20
const shortMs = 0.5

/** Waits until this process has read what has come to it, and is not about to find more that came meanwhile. */
async function readArrived(): Promise<void> {
  for (let turn = 1; turn <= turnsMax; turn++) {
    const began = performance.now()
    await setImmediate()
    if (turn >= turnsMin && performance.now() - began < shortMs) return
  }
}

/** A request to refresh, beside the token. */
export interface Refreshing {
  origin: Origin
  /** When the request arrived, on the scale of `performance.now()`. */
  arrivedMs: number
  /** Runs `work` when the answer has left. */
  afterAnswer(work: () => void): void
}

/**
 * Exchanges a refresh token for new tokens; it works once. Presented again, it has been stolen by one of the two who
 * had it: the whole session ends, and its user is told. Who sent it before the answer to another had left gets no tokens,
 * and the session goes on.
 * @throws ApiError invalid_token, token_revoked, token_expired, refresh_in_progress
 */
export async function refresh(
  context: AccountsContext,
  refreshToken: string,
  { origin, arrivedMs, afterAnswer }: Refreshing,
): Promise<LoginAnswer> {
  const { queries, exchanges } = context
  const hash = hashToken(refreshToken)
  const outcome = await withTokenHash(queries, { tokenHash: hash }, async (trx, switchTenant) => {
    const presented = await store.findRefreshToken(trx, hash)
    if (presented === undefined) throw new ApiError('invalid_token')
    const { user_id: userId, session_id: sessionId } = presented
    await switchTenant({ userId })
    const next = newRefreshToken()
    if (await store.rotateRefreshToken(trx, userId, { spent: hash, next: next.hash })) {
      const organizationId = await findOrganization(trx, userId)
      return { userId, sessionId, organizationId, refreshToken: next.token } satisfies StartedSession
    }
    // What this answers is thrown after the commit: the end of a session must not be rolled back.
    return refuse(context, trx, { userId, sessionId, hash, arrivedMs }, origin)
  })
  if (outcome instanceof ApiError) throw outcome
  exchanges.begin(hash)
  const [tokens] = await Promise.all([issueTokens(context, outcome), setTimeout(overlapMs)])
  // For other processes the answer leaves now, for this one when it does.
  await asTenant(queries, { userId: outcome.userId }, (trx) =>
    store.settleRefreshToken(trx, outcome.userId, hash),
  )
  await readArrived()
  afterAnswer(() => exchanges.answered(hash))
  return { ...tokens, mfa_required: false }
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
  const exactly = why.settled ? context.exchanges.overlapped(hash, arrivedMs) : undefined
  if (exactly ?? why.overlapped) return new ApiError('refresh_in_progress')
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
