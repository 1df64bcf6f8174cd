import { rowOf } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { accessTokenS } from '../tokens/lifetimes.ts'
import { newToken } from '../tokens/single-use-token.ts'
import type { AccountsContext } from './context.ts'
import * as store from './session-store.ts'
import type { Account } from './user-store.ts'

/** Code units of a user agent that are kept. */
const userAgentChars = 400

/** A session that a transaction has begun, before its access token is signed. */
export interface StartedSession {
  userId: string
  sessionId: string
  /** The organization of the user's oldest membership; null without one. */
  organizationId: string | null
  refreshToken: string
  /** The id of the key that signed when it began, where that was asked. */
  signingKey?: string | undefined
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
  return started(userId, token, await store.insertSession(trx, userId, newSession(origin, hash)))
}

/**
 * Signs a user in whose password was checked, and notes it, in one statement. `issueTokens` goes on with the session.
 * @returns undefined, and nothing was done, where a second factor is to be asked for
 * @throws ApiError invalid_login when the password, or what the account may do, has changed meanwhile
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

/** The tokens of a session that is committed. Not within a transaction: signing may have to read a key. */
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

/** Drops what is left of sessions that ended long ago, and of logins that were not finished. */
export function purgeSessions(queries: Queries): Promise<void> {
  return store.purgeSessions(queries)
}
