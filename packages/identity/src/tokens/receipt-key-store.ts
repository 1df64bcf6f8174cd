import { asTask, type Queries } from '@memory/shared/platform/database/database'
import type { PublicJwk } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'
import type { NewKey } from './signing-key-store.ts'

/** The key that signs receipts now, if it is younger than `forS` seconds. */
export function findSigner(
  queries: Queries,
  forS: number,
): Promise<{ kid: string; private_key: Uint8Array } | undefined> {
  return asTask(queries, 'keep-secrets', async (trx) => {
    const { rows } = await sql<{ kid: string; private_key: Uint8Array }>`
      select kid, private_key from app.receipt_keys
        where private_key is not null and created_at > now() - make_interval(secs => ${forS})
        order by created_at desc limit 1`.execute(trx)
    return rows[0]
  })
}

/** Adds a key that signs from now on, unless another process has done so. Deletes the private keys of earlier ones. */
export async function replaceSigner(queries: Queries, key: NewKey, forS: number): Promise<void> {
  await asTask(queries, 'keep-secrets', async (trx) => {
    await sql`lock table app.receipt_keys in share row exclusive mode`.execute(trx)
    // A separate statement, so that it sees what was committed while the lock was waited for.
    await sql`
      with added as (
        insert into app.receipt_keys (kid, public_key, private_key)
          select ${key.kid}, ${JSON.stringify(key.publicKey)}::jsonb, ${key.privateKey}
            where not exists (
              select from app.receipt_keys
                where private_key is not null and created_at > now() - make_interval(secs => ${forS})
            )
          returning kid
      )
      update app.receipt_keys set private_key = null
        where private_key is not null and exists (select from added)`.execute(trx)
  })
}

/** Every public key that has ever signed a receipt, newest first. */
export async function listPublic(queries: Queries): Promise<PublicJwk[]> {
  const rows = await asTask(queries, 'keep-secrets', (trx) =>
    trx
      .withSchema('app')
      .selectFrom('receipt_keys')
      .select('public_key')
      .orderBy('created_at', 'desc')
      .execute(),
  )
  return rows.map((row) => row.public_key)
}
