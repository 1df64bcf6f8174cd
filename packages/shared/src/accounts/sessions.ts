import type { Origin } from '../catalogue/operation.ts'
import type { Queries, Trx } from '../platform/database/database.ts'
import { accessTokenS } from '../tokens/access-tokens.ts'
import type { AccountsContext } from './context.ts'
import * as store from './session-store.ts'
import { newToken } from './single-use-token.ts'
import { findOrganization } from './user-store.ts'

/** Code units of a user agent that are kept. */
const userAgentChars = 400

/** A session that a transaction has begun, before its access token is signed. */
export interface StartedSession {
  userId: string
  sessionId: string
  /** The organization of the user's oldest membership; null without one. */
  organizationId: string | null
  refreshToken: string
}

/** What every way of signing in answers. */
export interface Tokens {
  access_token: string
  refresh_token: string
  token_type: 'bearer'
  /** Seconds that the access token lives. */
  expires_in: number
}

/** A new refresh token. */
export const newRefreshToken = () => newToken('rt')

/** Begins a session of a user, who is the transaction's tenant. `issueTokens` goes on after the commit. */
export async function startSession(trx: Trx, userId: string, origin: Origin): Promise<StartedSession> {
  const { token, hash } = newRefreshToken()
  const sessionId = await store.insertSession(trx, {
    userId,
    ip: origin.ip,
    userAgent: origin.userAgent?.slice(0, userAgentChars) ?? null,
    refreshHash: hash,
  })
  return { userId, sessionId, organizationId: await findOrganization(trx, userId), refreshToken: token }
}

/** The tokens of a session that is committed. Not within a transaction: signing may have to read a key. */
export async function issueTokens(
  { accessTokens }: AccountsContext,
  { refreshToken, ...subject }: StartedSession,
): Promise<Tokens> {
  return {
    access_token: await accessTokens.issue(subject),
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: accessTokenS,
  }
}

/** Drops what is left of sessions that ended long ago, and of logins that were not finished. */
export function purgeSessions(queries: Queries): Promise<void> {
  return store.purgeSessions(queries)
}
