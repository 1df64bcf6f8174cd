import { sql } from 'kysely'
import { asTask, type Queries, type Trx } from '../platform/database/database.ts'
import type { PublicJwk } from '../platform/database/tables.ts'

export interface SealedKey {
  kid: string
  private_key: Uint8Array
}

/** The key that signs now: of those whose time has come, the newest. */
export function findSigner(queries: Queries): Promise<SealedKey | undefined> {
  return asTask(queries, 'keep-secrets', (trx) =>
    trx
      .withSchema('app')
      .selectFrom('signing_keys')
      .select(['kid', 'private_key'])
      .where('signs_from', '<=', sql<Date>`now()`)
      .where((eb) => eb.or([eb('signs_until', 'is', null), eb('signs_until', '>', sql<Date>`now()`)]))
      .where((eb) => eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', sql<Date>`now()`)]))
      .orderBy('signs_from', 'desc')
      .executeTakeFirst(),
  )
}

/** The public keys whose tokens may still hold, newest first. */
export function listPublished(queries: Queries): Promise<PublicJwk[]> {
  return asTask(queries, 'keep-secrets', async (trx) => {
    const rows = await trx
      .withSchema('app')
      .selectFrom('signing_keys')
      .select('public_key')
      .where((eb) => eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', sql<Date>`now()`)]))
      .orderBy('signs_from', 'desc')
      .execute()
    return rows.map((row) => row.public_key)
  })
}

/** Adds a key that signs at once, unless there is one. */
export async function insertFirst(
  trx: Trx,
  { kid, publicKey, privateKey }: { kid: string; publicKey: PublicJwk; privateKey: Uint8Array },
): Promise<void> {
  await sql`lock table app.signing_keys in share row exclusive mode`.execute(trx)
  await sql`insert into app.signing_keys (kid, public_key, private_key, signs_from)
    select ${kid}, ${JSON.stringify(publicKey)}::jsonb, ${privateKey}, now()
      where not exists (select from app.signing_keys where retired_at is null)`.execute(trx)
}
