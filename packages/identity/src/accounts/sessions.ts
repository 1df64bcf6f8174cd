import { rowOf } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { accessTokenS } from '../tokens/lifetimes.ts'
import { newToken } from '../tokens/single-use-token.ts'
import type { AccountsContext } from './context.ts'
import * as store from './session-store.ts'
import type { Account } from './user-store.ts'

/** The most UTF-16 units of a user agent that are stored. */
const userAgentChars = 400

/** A session that was started in a transaction, and whose access token is still to be signed. */
export interface StartedSession {
  userId: string
  sessionId: string
  /** The organization of the user's oldest membership; null without one. */
  organizationId: string | null
  refreshToken: string
  /** The id of the key that signs now, if it was read together with the session. */
  signingKey?: string | undefined
}

/** The answer of every way of signing in. */
export interface Tokens {
  access_token: string
  refresh_token: string
  token_type: 'bearer'
  /** Seconds until the access token expires. */
  expires_in: number
}

/** A new refresh token. */
export const newRefreshToken = () => newToken('rt')

/** Starts a session of a user, who must be the transaction's tenant. After the commit, `issueTokens` makes its tokens. */
export async function startSession(trx: Trx, userId: string, origin: Origin): Promise<StartedSession> {
  const { token, hash } = newRefreshToken()
  return started(userId, token, await store.insertSession(trx, userId, newSession(origin, hash)))
}

/**
 * Signs in a user whose password was checked, with an audit entry, in one statement. Then `issueTokens` makes the tokens.
 * @returns undefined, with nothing done, when a second factor is needed
 * @throws ApiError invalid_login when the password or the account's status has changed meanwhile
 */
export async function signInDirectly(
  queries: Queries,
  { id: userId, email, password_hash }: Account,
  origin: Origin,
): Promise<StartedSession | undefined> {
  const { token, hash } = newRefreshToken()
  const entry = rowOf({ action: 'login', actor: { kind: 'user', userId, email }, origin, userId })
  const session = newSession(origin, hash)
  const signedIn = await store.signInDirectly(queries, userId, password_hash, session, entry)
  if (signedIn.outcome === 'changed') throw new ApiError('invalid_login')
  if (signedIn.outcome === 'second_factor') return undefined
  return { ...started(userId, token, signedIn), signingKey: signedIn.signing_key ?? undefined }
}

const newSession = ({ ip, userAgent }: Origin, refreshHash: Uint8Array): store.NewSession => ({
  ip,
  userAgent: userAgent?.slice(0, userAgentChars) ?? null,
  refreshHash,
})

const started = (
  userId: string,
  refreshToken: string,
  { session_id, organization_id }: store.InsertedSession,
): StartedSession => ({ userId, sessionId: session_id, organizationId: organization_id, refreshToken })

/** Makes the tokens of a committed session. Must not be called within a transaction, since signing may read a key. */
export async function issueTokens(
  { accessTokens }: AccountsContext,
  { refreshToken, signingKey, ...subject }: StartedSession,
): Promise<Tokens> {
  return {
    access_token: await accessTokens.issue(subject, signingKey),
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: accessTokenS,
  }
}

/** Deletes sessions that ended long ago, and ended challenges of sign-ins. */
export function purgeSessions(queries: Queries): Promise<void> {
  return store.purgeSessions(queries)
}
