import type { Trx } from '@memory/shared/platform/database/database'
import type { Tables } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'

export type EmailTokenPurpose = Tables['email_tokens']['purpose']

const hours: Record<EmailTokenPurpose, number> = { 'verify-email': 24, 'reset-password': 1 }

/** Stores a token's hash. It replaces the user's earlier token for the same purpose. */
export async function putEmailToken(
  trx: Trx,
  userId: string,
  purpose: EmailTokenPurpose,
  hash: Uint8Array,
): Promise<void> {
  await sql`
    insert into app.email_tokens (user_id, purpose, token_hash, expires_at)
      values (${userId}, ${purpose}, ${hash}, now() + make_interval(hours => ${hours[purpose]}))
    on conflict (user_id, purpose) do update
      set token_hash = excluded.token_hash, created_at = now(), expires_at = excluded.expires_at`.execute(trx)
}

/** The id of the user whose token was presented; undefined when the token is unknown, used, replaced or expired. */
export async function findTokenOwner(
  trx: Trx,
  purpose: EmailTokenPurpose,
  hash: Uint8Array,
): Promise<string | undefined> {
  const row = await trx
    .withSchema('app')
    .selectFrom('email_tokens')
    .select('user_id')
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.user_id
}

/** Uses a token up. @returns false when it was used, replaced or has expired meanwhile */
export async function useEmailToken(
  trx: Trx,
  userId: string,
  purpose: EmailTokenPurpose,
  hash: Uint8Array,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .withSchema('app')
    .deleteFrom('email_tokens')
    .where('user_id', '=', userId)
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
