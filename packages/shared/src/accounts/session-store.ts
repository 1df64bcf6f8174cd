import { sql } from 'kysely'
import type { Trx } from '../platform/database/database.ts'

/** A session lives this long at most. */
const sessionDays = 90
/** Without a refresh it ends after this time. */
const idleDays = 30

export interface NewSession {
  userId: string
  ip: string | null
  userAgent: string | null
  refreshHash: Uint8Array
}

/** Inserts a session with its first refresh token. @returns its id. */
export async function insertSession(
  trx: Trx,
  { userId, ip, userAgent, refreshHash }: NewSession,
): Promise<string> {
  const { rows } = await sql<{ session_id: string }>`
    with session as (
      insert into app.sessions (user_id, ip_address, user_agent, expires_at)
        values (${userId}, ${ip}, ${userAgent}, now() + make_interval(days => ${sessionDays}))
        returning id, expires_at
    )
    insert into app.refresh_tokens (user_id, token_hash, session_id, expires_at)
      select ${userId}, ${refreshHash}, id, least(expires_at, now() + make_interval(days => ${idleDays}))
        from session
      returning session_id`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('Inserting a session gave no row.')
  return row.session_id
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
