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
 * The answer is sent this long after the token was spent. When two browser tabs, or a client and its retry, send the same token
 * at the same time, a busy machine may read the second request late. By the end of this time it has been read, on whichever
 * process, and so is recognized as overlapping.
 */
export const overlapMs = 50

/** At least this many turns of the event loop: one accepts a waiting connection, the next one reads from it. */
const turnsMin = 3
/** At most this many turns: on a busy process there may never be a short one. */
const turnsMax = 20
/** During a turn of at most this many ms, hardly anything can have arrived. */
const shortMs = 0.5

/** Waits until this process has read all requests that have arrived, and probably no more have arrived meanwhile. */
async function readArrived(): Promise<void> {
  for (let turn = 1; turn <= turnsMax; turn++) {
    const began = performance.now()
    await setImmediate()
    if (turn >= turnsMin && performance.now() - began < shortMs) return
  }
}

/** A request to refresh, without its token. */
export interface Refreshing {
  origin: Origin
  /** When the request arrived, on the scale of `performance.now()`. */
  arrivedMs: number
  /** Runs `work` after the answer was sent. */
  afterAnswer(work: () => void): void
}

/**
 * Exchanges a refresh token for new tokens. Each token can be spent once. When a spent token is presented again, one of the two
 * senders must have stolen it: the whole session ends, and its user is told by mail. But when the second request arrived before
 * the first was answered (an overlap), it only gets no tokens, and the session goes on.
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

/** An exchange of a refresh token. */
export interface Exchange<Checked, Answer> {
  /** The hash of the presented token. */
  presented: Uint8Array
  /** The token that replaces it. */
  next: SingleUseToken
  /** Checks the session before its token is spent. @throws when the token was presented by somebody else than its owner */
  check(trx: Trx, userId: string, sessionId: string): Promise<Checked>
  /** Makes the answer, once the exchange is committed. */
  issue(started: StartedSession, checked: Checked): Promise<Answer>
}

/** Like `refresh`, for any kind of refresh token. */
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
    // Returned, to be thrown after the commit: a throw here would roll back the end of a stolen session.
    return refuse(context, trx, { userId, sessionId, hash, arrivedMs }, origin)
  })
  if (outcome instanceof ApiError) throw outcome
  exchanges.begin(hash)
  const { started, checked } = outcome
  const [answer] = await Promise.all([issue(started, checked), setTimeout(overlapMs)])
  // Other processes take this moment as the time of the answer; this process knows the exact one (see `Exchanges`).
  await asTenant(queries, { userId: started.userId }, (trx) =>
    store.settleRefreshToken(trx, started.userId, hash),
  )
  await readArrived()
  afterAnswer(() => exchanges.answered(hash))
  return answer
}

/**
 * Issues another access token for a browser's session, whose refresh token is in a cookie that no script can read. Unlike in
 * `refresh`, the refresh token is not replaced: a page that was closed, or another tab, might never get the answer; and it would
 * not help, since whoever can read the cookie could read the next one too. A token that was spent nevertheless counts as stolen.
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

/** Finds out why a token could not be spent, and ends its session when it was stolen. @returns the error to throw */
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
  // When the token is presented several times more, the user is told only once.
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
