import type { NewEntry } from '@memory/shared/audit/store'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { purgeRows } from '@memory/shared/platform/database/purge'
import type { ClientOfSession } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'
import { refreshTokenDays as idleDays } from '../tokens/lifetimes.ts'

/** A session lasts this long at most. */
export const sessionDays = 90
/** The most sessions of a user: a new one beyond this ends the oldest. */
const sessionsMax = 100

export interface NewSession {
  ip: string | null
  userAgent: string | null
  refreshHash: Uint8Array
}

/** A session that was started. */
export interface InsertedSession {
  session_id: string
  /** The organization of the user's oldest membership; null without one. */
  organization_id: string | null
}

/** Inserts a session, with its first refresh token, for the transaction's user. */
export async function insertSession(
  trx: Trx,
  userId: string,
  { ip, userAgent, refreshHash }: NewSession,
): Promise<InsertedSession> {
  const { rows } = await sql<InsertedSession>`
    select * from app.start_session(
      ${userId}, ${ip}, ${userAgent}, ${refreshHash}, ${sessionDays}, ${idleDays},
      ${sessionsMax})`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('Inserting a session gave no row.')
  return row
}

/** The outcome of `signInDirectly`. */
export type DirectSignIn =
  /** A session was started. `signing_key` is the id of the key that signs now; null when there is none yet. */
  | ({ outcome: 'signed_in'; signing_key: string | null } & InsertedSession)
  /** The password or the account's status has changed since the password was checked. */
  | { outcome: 'changed' }
  /** A second factor is needed; nothing was done. */
  | { outcome: 'second_factor' }

/**
 * Signs in a user whose password was checked, in one statement, unless a second factor is needed.
 * @param passwordHash the hash that was checked
 * @param entry for the audit log; the session's id is added to it
 */
export async function signInDirectly(
  queries: Queries,
  userId: string,
  passwordHash: string,
  { ip, userAgent, refreshHash }: NewSession,
  entry: NewEntry,
): Promise<DirectSignIn> {
  const { rows } = await sql<DirectSignIn>`
    select * from app.sign_in(
      ${userId}, ${passwordHash}, ${ip}, ${userAgent}, ${refreshHash}, ${sessionDays}, ${idleDays},
      ${sessionsMax}, ${JSON.stringify(entry)}::jsonb)`.execute(queries)
  const [row] = rows
  if (row === undefined) throw new Error('Signing in gave no row.')
  return row
}

/** What is known of a presented refresh token. */
export interface RefreshToken {
  user_id: string
  session_id: string
}

export function findRefreshToken(trx: Trx, hash: Uint8Array): Promise<RefreshToken | undefined> {
  return trx
    .withSchema('app')
    .selectFrom('refresh_tokens')
    .select(['user_id', 'session_id'])
    .where('token_hash', '=', hash)
    .executeTakeFirst()
}

/** The SQL condition for a token `t` with its session `s` and user `u` that may be spent. */
const mayBeSpent = (userId: string, hash: Uint8Array) => sql`
  t.user_id = ${userId} and t.token_hash = ${hash} and t.spent_at is null and t.expires_at > now()
    and s.user_id = t.user_id and s.id = t.session_id and s.revoked_at is null and s.expires_at > now()
    and u.id = t.user_id and u.status = 'active'`

/**
 * Spends a refresh token and inserts the next one, if it may still be spent. This is one statement, so that of several concurrent
 * requests with the token only one succeeds.
 * @returns whether it was spent
 */
export async function rotateRefreshToken(
  trx: Trx,
  userId: string,
  { spent, next }: { spent: Uint8Array; next: Uint8Array },
): Promise<boolean> {
  const { rows } = await sql<{ session_id: string }>`
    with spent as (
      update app.refresh_tokens t set spent_at = now()
        from app.sessions s, app.users u
        where ${mayBeSpent(userId, spent)}
        returning s.id, s.expires_at
    ), active as (
      update app.sessions s set last_active_at = now() from spent where s.user_id = ${userId} and s.id = spent.id
    )
    insert into app.refresh_tokens (user_id, token_hash, session_id, expires_at)
      select ${userId}, ${next}, id, least(expires_at, now() + make_interval(days => ${idleDays})) from spent
      returning session_id`.execute(trx)
  const [session] = rows
  if (session === undefined) return false
  await sql`
    delete from app.refresh_tokens where user_id = ${userId} and token_hash in (
      select token_hash from app.refresh_tokens
        where user_id = ${userId} and session_id = ${session.session_id}
        order by created_at desc offset ${tokensOfSession})`.execute(trx)
  return true
}

/**
 * Extends the life of a refresh token to that of a new one, if it may still be spent.
 * @returns whether it could be extended
 */
export async function prolongRefreshToken(trx: Trx, userId: string, hash: Uint8Array): Promise<boolean> {
  const { rows } = await sql`
    with prolonged as (
      update app.refresh_tokens t set expires_at = least(s.expires_at, now() + make_interval(days => ${idleDays}))
        from app.sessions s, app.users u
        where ${mayBeSpent(userId, hash)}
        returning s.id
    )
    update app.sessions s set last_active_at = now() from prolonged
      where s.user_id = ${userId} and s.id = prolonged.id
      returning s.id`.execute(trx)
  return rows.length > 0
}

/**
 * The most tokens kept of a session, including spent ones: more than a session gets in 90 days when it is refreshed each time its
 * access token expires.
 */
const tokensOfSession = 10_000

/** Marks the exchange of a token as settled: its answer is being sent. */
export async function settleRefreshToken(trx: Trx, userId: string, hash: Uint8Array): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('refresh_tokens')
    .set({ settled_at: sql<Date>`clock_timestamp()` })
    .where('user_id', '=', userId)
    .where('token_hash', '=', hash)
    .execute()
}

/** Why a refresh token could not be spent. */
export interface Unspendable {
  /** The session has ended, or its user may not sign in any more. */
  revoked: boolean
  spent: boolean
  /** The exchange that spent the token is settled (see `settleRefreshToken`). */
  settled: boolean
  /** This request had arrived before the exchange that spent the token was settled. */
  overlapped: boolean
  email: string
}

/** An exchange that is not settled after this many seconds never will be, since its process has died. */
const settlingS = 10

/** Explains why a refresh token could not be spent. @param waitedMs time since the request had arrived */
export async function explainUnspendable(
  trx: Trx,
  userId: string,
  hash: Uint8Array,
  waitedMs: number,
): Promise<Unspendable> {
  const { rows } = await sql<Unspendable>`
    select u.email, t.spent_at is not null as spent, t.settled_at is not null as settled,
        s.revoked_at is not null or s.expires_at <= now() or u.status <> 'active' as revoked,
        coalesce(clock_timestamp() - make_interval(secs => ${waitedMs / 1_000}) < t.settled_at,
          t.spent_at > clock_timestamp() - make_interval(secs => ${settlingS}), false) as overlapped
      from app.refresh_tokens t
      join app.sessions s on s.user_id = t.user_id and s.id = t.session_id
      join app.users u on u.id = t.user_id
      where t.user_id = ${userId} and t.token_hash = ${hash}`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('The refresh token is gone.')
  return row
}

/** The program that a session belongs to; null for a user's own session; undefined when there is no such session. */
export async function findClient(
  trx: Trx,
  userId: string,
  sessionId: string,
): Promise<ClientOfSession | null | undefined> {
  const row = await trx
    .withSchema('app')
    .selectFrom('sessions')
    .select('client')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.client
}

/** Ends all sessions of a user except one. @returns how many were ended */
export async function revokeSessions(trx: Trx, userId: string, except?: string): Promise<number> {
  let update = trx
    .withSchema('app')
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
  if (except !== undefined) update = update.where('id', '!=', except)
  const { numUpdatedRows } = await update.executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Ends a session. @returns false when it does not exist or has ended already */
export async function revokeSession(trx: Trx, userId: string, sessionId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .withSchema('app')
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Rows deleted in one transaction. Each session may bring many refresh tokens with it. */
const purgedAtOnce = 500

/** Deletes ended sessions with their refresh tokens, and ended challenges of sign-ins. */
export async function purgeSessions(queries: Queries): Promise<void> {
  const isOver = sql`t.expires_at < now()`
  const isEnded = sql`${isOver} or t.revoked_at < now() - interval '30 days'`
  await purgeRows(queries, 'purge-sessions', 'sessions', isEnded, purgedAtOnce)
  await purgeRows(queries, 'purge-sessions', 'mfa_challenges', isOver, purgedAtOnce)
}
