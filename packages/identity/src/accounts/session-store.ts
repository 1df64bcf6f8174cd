import type { NewEntry } from '@memory/shared/audit/store'
import { asTask, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { ClientOfSession } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'
import { refreshTokenDays as idleDays } from '../tokens/lifetimes.ts'

/** A session lives this long at most. */
export const sessionDays = 90
/** Of one user: a session that begins ends the oldest ones beyond it. */
const sessionsMax = 100

export interface NewSession {
  ip: string | null
  userAgent: string | null
  refreshHash: Uint8Array
}

/** What a session begins with. */
export interface InsertedSession {
  session_id: string
  /** The organization of the user's oldest membership; null without one. */
  organization_id: string | null
}

/** Inserts a session of the transaction's user with its first refresh token. */
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

/** How signing in went where the password alone may do. */
export type DirectSignIn =
  /** With the id of the key that signs now; null where there is none yet. */
  | ({ outcome: 'signed_in'; signing_key: string | null } & InsertedSession)
  /** The password, or what the account may do, is another by now. */
  | { outcome: 'changed' }
  /** One is to be asked for: nothing was done. */
  | { outcome: 'second_factor' }

/**
 * Signs a user in whose password was checked, in one statement, unless there is a second factor to ask for.
 * @param passwordHash that was checked
 * @param entry of the audit log, which lacks the session alone
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

/** A refresh token, as whoever presents it sees it. */
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

/** Of a token t, its session s and their user u. */
const mayBeSpent = (userId: string, hash: Uint8Array) => sql`
  t.user_id = ${userId} and t.token_hash = ${hash} and t.spent_at is null and t.expires_at > now()
    and s.user_id = t.user_id and s.id = t.session_id and s.revoked_at is null and s.expires_at > now()
    and u.id = t.user_id and u.status = 'active'`

/**
 * Spends a refresh token, if it is one that may still be spent, and inserts the next. One statement decides which of
 * several that present it does so.
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
 * Keeps a refresh token, if it is one that may still be spent, for as long again as a new one lives.
 * @returns whether it was
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

/** Tokens that a session keeps, spent ones too: more than it has after 90 days of refreshing when its access token ends. */
const tokensOfSession = 10_000

/** Notes that the exchange of a token is over: its answer leaves. */
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
  /** The session has ended, or its user may not sign in. */
  revoked: boolean
  spent: boolean
  /** The exchange by another is over, as far as is known here. */
  settled: boolean
  /** Whoever presented it had arrived before the exchange by another was over. */
  overlapped: boolean
  email: string
}

/** An exchange that is not settled after this time never will be: its process has died. */
const settlingS = 10

/** @param waitedMs that the request had been in the process when this is called */
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

/** The program that a session is of; null where it is a user's own, undefined without such a session. */
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

/** Ends the sessions of a user, but for one. @returns how many ended. */
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

/** @returns whether it was there and had not ended. */
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

/** Rows dropped in one transaction; a session has a refresh token for each time that it was refreshed. */
const purgedAtOnce = 500

/** Drops sessions, with their refresh tokens, that have ended, and logins that were not finished. */
export async function purgeSessions(queries: Queries): Promise<void> {
  for (const table of ['sessions', 'mfa_challenges'] as const) {
    while ((await purgeSome(queries, table)) === BigInt(purgedAtOnce));
  }
}

async function purgeSome(queries: Queries, table: 'sessions' | 'mfa_challenges'): Promise<bigint> {
  const name = sql.id('app', table)
  const { numAffectedRows = 0n } = await asTask(queries, 'purge-sessions', (trx) =>
    // What may go is the policies' to say: their condition names the task.
    sql`delete from ${name} where (user_id, id) in (
      select user_id, id from ${name} limit ${purgedAtOnce})`.execute(trx),
  )
  return numAffectedRows
}
