import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** The user's valid sessions, last used first. */
export function list(trx: Trx, userId: string) {
  return trx
    .withSchema('app')
    .selectFrom('sessions')
    .select(['id', 'ip_address', 'user_agent', 'last_active_at', 'created_at', 'client'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_active_at', 'desc')
    .orderBy('id')
    .execute()
}

export type SessionRow = Awaited<ReturnType<typeof list>>[number]

/** Ends a session. @param id a UUID @returns whether there was such a valid session */
export async function revoke(trx: Trx, userId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .withSchema('app')
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
