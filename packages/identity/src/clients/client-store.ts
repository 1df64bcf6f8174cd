import type { Scope } from '@memory/shared/catalogue/scopes'
import type { Trx } from '@memory/shared/platform/database/database'
import type { ClientOfSession, Environment } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'

/** A user's consent to a program, until its code is exchanged. */
export interface Consent {
  clientId: string
  clientName: string
  organizationId: string
  environment: Environment
  scopes: readonly Scope[]
  redirectUri: string
  /** The SHA-256 of the code verifier, in base64url (PKCE, RFC 7636, S256). */
  codeChallenge: string
}

/**
 * Turns the session of a sign-in into one of a program. Its own refresh token stops working; only the code continues it, and it
 * ends when the code is not exchanged in time.
 */
export async function giveSession(
  trx: Trx,
  { userId, sessionId }: { userId: string; sessionId: string },
  consent: Consent,
  codeHash: Uint8Array,
  codeS: number,
): Promise<void> {
  const client: ClientOfSession = {
    id: consent.clientId,
    name: consent.clientName,
    organization_id: consent.organizationId,
    environment: consent.environment,
    scopes: [...consent.scopes],
    redirect_uri: consent.redirectUri,
    code_challenge: consent.codeChallenge,
  }
  await trx
    .withSchema('app')
    .updateTable('sessions')
    .set({
      client: JSON.stringify(client),
      code_hash: codeHash,
      expires_at: sql<Date>`now() + make_interval(secs => ${codeS})`,
    })
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .execute()
  await trx
    .withSchema('app')
    .deleteFrom('refresh_tokens')
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .execute()
}

/** The session of a presented code. */
export function findByCode(trx: Trx, hash: Uint8Array) {
  return trx
    .withSchema('app')
    .selectFrom('sessions')
    .select(['user_id', 'id', 'client'])
    .where('code_hash', '=', hash)
    .executeTakeFirst()
}

/**
 * Exchanges a code, if it is still valid: extends the session and gives it its first refresh token. This is one statement, so
 * that of several concurrent requests with the code only one succeeds.
 */
export async function useCode(
  trx: Trx,
  { userId, sessionId }: { userId: string; sessionId: string },
  refreshHash: Uint8Array,
  { sessionDays, idleDays }: { sessionDays: number; idleDays: number },
): Promise<boolean> {
  const { rows } = await sql<{ session_id: string }>`
    with used as (
      update app.sessions s set code_used_at = now(), expires_at = now() + make_interval(days => ${sessionDays})
        from app.users u
        where s.user_id = ${userId} and s.id = ${sessionId} and s.code_used_at is null and s.expires_at > now()
          and s.revoked_at is null and u.id = s.user_id and u.status = 'active'
        returning s.id
    )
    insert into app.refresh_tokens (user_id, token_hash, session_id, expires_at)
      select ${userId}, ${refreshHash}, id, now() + make_interval(days => ${idleDays}) from used
      returning session_id`.execute(trx)
  return rows.length === 1
}
