import { setImmediate, setTimeout } from 'node:timers/promises'
import { recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import { enqueueMail } from '@memory/shared/mail/enqueue'
import { asTenant, type Trx, withTokenHash } from '@memory/shared/platform/database/database'
import { deviceOf } from '../security/device.ts'
import { hashToken, type SingleUseToken } from '../tokens/single-use-token.ts'
import type { AccountsContext } from './context.ts'
import type { LoginAnswer } from './login.ts'
import * as store from './session-store.ts'
import { issueTokens, newRefreshToken, type StartedSession, type Tokens } from './sessions.ts'
import { findOrganization } from './user-store.ts'

/**
 * The answer leaves so long after the token was spent. Two tabs of a browser, or a client and its retry, send their
 * requests together, but a busy machine reads the second one late: by then it has been read, by whichever process.
 */
export const overlapMs = 50

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
export function refresh(
  context: AccountsContext,
  refreshToken: string,
  refreshing: Refreshing,
): Promise<LoginAnswer> {
  const exchange: Exchange<void, LoginAnswer> = {
    presented: hashToken(refreshToken),
    next: newRefreshToken(),
    check: async () => {},
    issue: async (started) => ({ ...(await issueTokens(context, started)), mfa_required: false }),
  }
  return exchangeRefreshToken(context, exchange, refreshing)
}

/** What is exchanged for what. */
export interface Exchange<Checked, Answer> {
  /** Hash of the token that was presented. */
  presented: Uint8Array
  /** The one that takes its place. */
  next: SingleUseToken
  /** Looks at the session before its token is spent. @throws where it is not the presenter's */
  check(trx: Trx, userId: string, sessionId: string): Promise<Checked>
  /** Makes the answer, once the exchange is committed. */
  issue(started: StartedSession, checked: Checked): Promise<Answer>
}

/** As `refresh`, for whatever kind of token a session has. */
export async function exchangeRefreshToken<Checked, Answer>(
  context: AccountsContext,
  { presented: hash, next, check, issue }: Exchange<Checked, Answer>,
  { origin, arrivedMs, afterAnswer }: Refreshing,
): Promise<Answer> {
  const { queries, exchanges } = context
  const outcome = await withTokenHash(queries, { tokenHash: hash }, async (trx, switchTenant) => {
    const presented = await store.findRefreshToken(trx, hash)
    if (presented === undefined) throw new ApiError('invalid_token')
    const { user_id: userId, session_id: sessionId } = presented
    await switchTenant({ userId })
    const checked = await check(trx, userId, sessionId)
    if (await store.rotateRefreshToken(trx, userId, { spent: hash, next: next.hash })) {
      const organizationId = await findOrganization(trx, userId)
      const started: StartedSession = { userId, sessionId, organizationId, refreshToken: next.token }
      return { started, checked }
    }
    // What this answers is thrown after the commit: the end of a session must not be rolled back.
    return refuse(context, trx, { userId, sessionId, hash, arrivedMs }, origin)
  })
  if (outcome instanceof ApiError) throw outcome
  exchanges.begin(hash)
  const { started, checked } = outcome
  const [answer] = await Promise.all([issue(started, checked), setTimeout(overlapMs)])
  // For other processes the answer leaves now, for this one when it does.
  await asTenant(queries, { userId: started.userId }, (trx) =>
    store.settleRefreshToken(trx, started.userId, hash),
  )
  await readArrived()
  afterAnswer(() => exchanges.answered(hash))
  return answer
}

/**
 * Another access token for the session of a browser, whose refresh token is in a cookie that no script can read. It stays
 * what it is: a page that is left, or another tab, may never see the answer, and whoever can read the cookie can read the
 * next one too. One that was spent elsewhere has been stolen, as with `refresh`.
 * @throws ApiError invalid_token, token_revoked, token_expired, refresh_in_progress
 */
export async function continueSession(
  context: AccountsContext,
  refreshToken: string,
  { origin, arrivedMs }: Pick<Refreshing, 'origin' | 'arrivedMs'>,
): Promise<Tokens> {
  const hash = hashToken(refreshToken)
  const outcome = await withTokenHash(context.queries, { tokenHash: hash }, async (trx, switchTenant) => {
    const presented = await store.findRefreshToken(trx, hash)
    if (presented === undefined) throw new ApiError('invalid_token')
    const { user_id: userId, session_id: sessionId } = presented
    await switchTenant({ userId })
    if (!(await store.prolongRefreshToken(trx, userId, hash))) {
      return refuse(context, trx, { userId, sessionId, hash, arrivedMs }, origin)
    }
    return { userId, sessionId, organizationId: await findOrganization(trx, userId), refreshToken }
  })
  if (outcome instanceof ApiError) throw outcome
  return issueTokens(context, outcome)
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
