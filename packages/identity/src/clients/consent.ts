import { createHash } from 'node:crypto'
import { recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Origin } from '@memory/shared/catalogue/operation'
import { asTenant, type Trx, withTokenHash } from '@memory/shared/platform/database/database'
import type { ClientOfSession } from '@memory/shared/platform/database/tables'
import { isSameSecret } from '@memory/shared/platform/same-secret'
import type { AccountsContext } from '../accounts/context.ts'
import { type Login, login } from '../accounts/login.ts'
import { exchangeRefreshToken, type Refreshing } from '../accounts/refresh.ts'
import * as sessions from '../accounts/session-store.ts'
import type { StartedSession } from '../accounts/sessions.ts'
import { findOrganization, lockUser } from '../accounts/user-store.ts'
import { isMember } from '../organizations/service.ts'
import { accessTokenS, refreshTokenDays } from '../tokens/lifetimes.ts'
import { hashToken, newToken, type SingleUseToken } from '../tokens/single-use-token.ts'
import * as store from './client-store.ts'
import { type ClientGrant, ClientTokens } from './client-tokens.ts'

/** Seconds for which a code is valid. */
export const codeS = 60

/** What the services for users' programs (OAuth clients) need. */
export interface ClientsContext {
  accounts: AccountsContext
  clientTokens: ClientTokens
}

/** A program's answer for a code or a refresh token. */
export interface ClientAnswer {
  access_token: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

/**
 * Signs a user in who gives a program access. The session that this starts is the program's.
 * @returns the code that the program can exchange; undefined when a second factor is missing
 * @throws ApiError as `login` does; organization_not_found for a user without an organization
 */
export async function giveConsent(
  { accounts }: ClientsContext,
  credentials: Login,
  consent: Omit<store.Consent, 'organizationId'>,
  origin: Origin,
): Promise<string | undefined> {
  const answer = await login(accounts, credentials, origin)
  if (answer.mfa_required) return undefined
  // The tokens of the sign-in itself are not handed out.
  const { userId, sessionId } = await accounts.accessTokens.verify(answer.access_token)
  const { token, hash } = newToken('code')
  const given = await asTenant(accounts.queries, { userId }, async (trx) => {
    const organizationId = await findOrganization(trx, userId)
    if (organizationId === null) {
      await sessions.revokeSession(trx, userId, sessionId)
      return false
    }
    await store.giveSession(trx, { userId, sessionId }, { ...consent, organizationId }, hash, codeS)
    await recordAudit(trx, {
      action: 'client_authorized',
      actor: { kind: 'user', userId, sessionId, email: credentials.email },
      origin,
      userId,
      target: sessionId,
      details: { client: consent.clientName, scopes: consent.scopes, environment: consent.environment },
    })
    return true
  })
  if (!given) throw new ApiError('organization_not_found')
  return token
}

/** A code that a program presents, with the proofs that it is the program's. */
export interface PresentedCode {
  code: string
  clientId: string
  redirectUri: string
  codeVerifier: string
}

/**
 * Exchanges a code for tokens, once. When it is presented again, by another program, or with another verifier or redirect URI, it
 * was probably stolen: then its session ends, which the user sees in their audit log.
 * @throws ApiError invalid_token
 */
export async function exchangeCode(
  { accounts, clientTokens }: ClientsContext,
  { code, clientId, redirectUri, codeVerifier }: PresentedCode,
  origin: Origin,
): Promise<ClientAnswer> {
  const hash = hashToken(code)
  const { token, hash: refreshHash } = newClientToken()
  const grant = await withTokenHash(accounts.queries, { tokenHash: hash }, async (trx, switchTenant) => {
    const found = await store.findByCode(trx, hash)
    if (found?.client == null) return undefined
    const { user_id: userId, id: sessionId, client } = found
    await switchTenant({ userId })
    const isItsOwn =
      client.id === clientId &&
      client.redirect_uri === redirectUri &&
      isSameSecret(client.code_challenge, challengeOf(codeVerifier))
    const lifetimes = { sessionDays: sessions.sessionDays, idleDays: refreshTokenDays }
    if (isItsOwn && (await store.useCode(trx, { userId, sessionId }, refreshHash, lifetimes))) {
      return grantOf(userId, sessionId, client)
    }
    if (await sessions.revokeSession(trx, userId, sessionId)) {
      await recordAudit(trx, {
        action: 'session_revoked',
        // It is unknown who presented the code.
        actor: { kind: 'system' },
        origin,
        userId,
        target: sessionId,
        details: { client: client.name, reason: 'code_misused' },
      })
    }
    return undefined
  })
  if (grant === undefined) throw new ApiError('invalid_token')
  return answerOf(clientTokens, grant, token)
}

/**
 * Exchanges a program's refresh token, in the same way as a user's own (see `refresh`): it works once.
 * @throws ApiError invalid_token, token_revoked, token_expired, refresh_in_progress
 */
export function refreshClient(
  { accounts, clientTokens }: ClientsContext,
  { refreshToken, clientId }: { refreshToken: string; clientId: string },
  refreshing: Refreshing,
): Promise<ClientAnswer> {
  const check = async (trx: Trx, userId: string, sessionId: string) => {
    const client = await sessions.findClient(trx, userId, sessionId)
    if (client == null || client.id !== clientId) throw new ApiError('invalid_token')
    // The user has left the organization, so new tokens would be of no use.
    if (!(await isMember(trx, client.organization_id, userId))) throw new ApiError('token_revoked')
    return client
  }
  const exchange = {
    presented: hashOf(refreshToken),
    next: newClientToken(),
    check,
    issue: ({ userId, sessionId, refreshToken }: StartedSession, client: ClientOfSession) =>
      answerOf(clientTokens, grantOf(userId, sessionId, client), refreshToken),
  }
  return exchangeRefreshToken(accounts, exchange, refreshing)
}

/** Programs' refresh tokens are hashed in another way than users' own, so that no release can mistake one for the other. */
const hashOf = (refreshToken: string) => hashToken(`of a program: ${refreshToken}`)

function newClientToken(): SingleUseToken {
  const { token } = newToken('crt')
  return { token, hash: hashOf(token) }
}

/** Ends the session of a token, if the token is this program's. Otherwise does nothing, without an error (RFC 7009). */
export async function revokeClient(
  { accounts, clientTokens }: ClientsContext,
  { token, clientId }: { token: string; clientId: string },
  origin: Origin,
): Promise<void> {
  if (ClientTokens.isOne(token)) {
    const verified = await clientTokens.verify(token).catch(() => undefined)
    if (verified?.grant.clientId !== clientId) return
    const { userId, sessionId } = verified.grant
    await asTenant(accounts.queries, { userId }, (trx) => endByProgram(trx, { userId, sessionId }, origin))
    return
  }
  const hash = hashOf(token)
  await withTokenHash(accounts.queries, { tokenHash: hash }, async (trx, switchTenant) => {
    const found = await sessions.findRefreshToken(trx, hash)
    if (found === undefined) return
    const { user_id: userId, session_id: sessionId } = found
    await switchTenant({ userId })
    const client = await sessions.findClient(trx, userId, sessionId)
    if (client?.id === clientId) await endByProgram(trx, { userId, sessionId }, origin)
  })
}

/** Ends a session on the program's own request. @param trx a transaction of the user */
async function endByProgram(
  trx: Trx,
  { userId, sessionId }: { userId: string; sessionId: string },
  origin: Origin,
): Promise<void> {
  const account = await lockUser(trx, userId)
  const hasEnded = await sessions.revokeSession(trx, userId, sessionId)
  if (account === undefined || !hasEnded) return
  await recordAudit(trx, {
    action: 'session_revoked',
    actor: { kind: 'user', userId, sessionId, email: account.email },
    origin,
    userId,
    target: sessionId,
  })
}

const grantOf = (userId: string, sessionId: string, client: ClientOfSession): ClientGrant => ({
  userId,
  sessionId,
  organizationId: client.organization_id,
  environment: client.environment,
  scopes: client.scopes,
  clientId: client.id,
})

async function answerOf(
  tokens: ClientTokens,
  grant: ClientGrant,
  refreshToken: string,
): Promise<ClientAnswer> {
  return {
    access_token: await tokens.issue(grant),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: accessTokenS,
    scope: grant.scopes.join(' '),
  }
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
