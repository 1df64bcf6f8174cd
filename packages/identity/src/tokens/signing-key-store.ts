import { asTask, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { PublicJwk } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'

/** A key as it is stored. */
export interface NewKey {
  kid: string
  publicKey: PublicJwk
  /** Sealed. */
  privateKey: Uint8Array
}

/** A key, for operators. */
export interface ListedKey {
  kid: string
  state: 'next' | 'signs' | 'verifies' | 'retired'
  signs_from: Date
  signs_until: Date | null
  retired_at: Date | null
}

/** The id of the key that signs now, in one round trip. */
export async function findSigner(queries: Queries): Promise<string | undefined> {
  const { rows } = await sql<{ kid: string | null }>`select app.signing_key() as kid`.execute(queries)
  return rows[0]?.kid ?? undefined
}

/** @returns the sealed private key; undefined when the key does not exist any more */
export async function readPrivateKey(queries: Queries, kid: string): Promise<Uint8Array | undefined> {
  const row = await asTask(queries, 'keep-secrets', (trx) =>
    keys(trx).select('private_key').where('kid', '=', kid).executeTakeFirst(),
  )
  return row?.private_key
}

/** The public keys that have valid tokens, or will sign soon; newest first. */
export async function listPublished(queries: Queries): Promise<PublicJwk[]> {
  const rows = await asTask(queries, 'keep-secrets', (trx) =>
    keys(trx)
      .select('public_key')
      .where((eb) => eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', sql<Date>`now()`)]))
      .orderBy('signs_from', 'desc')
      .execute(),
  )
  return rows.map((row) => row.public_key)
}

/** Every key there is, newest first. */
export function list(queries: Queries): Promise<ListedKey[]> {
  return asTask(queries, 'keep-secrets', async (trx) => {
    const { rows } = await sql<ListedKey>`select kid,
        case when retired_at <= now() then 'retired' when kid = app.signing_key() then 'signs'
          when signs_from > now() then 'next' else 'verifies' end as state,
        signs_from, signs_until, retired_at
      from app.signing_keys order by signs_from desc, kid`.execute(trx)
    return rows
  })
}

const keys = (trx: Trx) => trx.withSchema('app').selectFrom('signing_keys')

/** Locks the keys until the transaction ends, so that only one process at a time decides about them. */
export async function lock(trx: Trx): Promise<void> {
  await sql`lock table app.signing_keys in share row exclusive mode`.execute(trx)
}

/** Whether a key signs now. */
export async function hasSigner(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ signs: boolean }>`select app.signing_key() is not null as signs`.execute(trx)
  return rows[0]?.signs === true
}

/** Adds a key that signs at once, unless there is one already. */
export async function insertWhereNoneSigns(trx: Trx, key: NewKey): Promise<void> {
  // Uses clock_timestamp: a key added while this transaction waited for the lock is newer than the transaction's now().
  await sql`insert into app.signing_keys (kid, public_key, private_key, signs_from)
    select ${key.kid}, ${JSON.stringify(key.publicKey)}::jsonb, ${key.privateKey}, now()
      where not exists (
        select from app.signing_keys where signs_from <= clock_timestamp()
          and (signs_until is null or signs_until > now()) and (retired_at is null or retired_at > now())
      )`.execute(trx)
}

/** Whether the latest key began to sign at least `afterS` seconds ago; false when there is none. */
export async function isDue(trx: Trx, afterS: number): Promise<boolean> {
  const last = keys(trx)
    .select(sql<boolean>`max(signs_from) <= now() - make_interval(secs => ${afterS})`.as('due'))
    .where('signs_until', 'is', null)
  return (await last.executeTakeFirst())?.due ?? false
}

/**
 * Adds a key that starts signing in `aheadS` seconds. Earlier keys stop signing then, and their tokens stay valid for `keptS`
 * seconds more.
 * @returns when the new key starts signing
 */
export async function insertNext(trx: Trx, key: NewKey, aheadS: number, keptS: number): Promise<Date> {
  await sql`update app.signing_keys
    set signs_until = now() + make_interval(secs => ${aheadS}),
        retired_at = now() + make_interval(secs => ${aheadS + keptS})
    where signs_until is null`.execute(trx)
  const { rows } = await sql<{ signs_from: Date }>`
    insert into app.signing_keys (kid, public_key, private_key, signs_from)
      values (${key.kid}, ${JSON.stringify(key.publicKey)}::jsonb, ${key.privateKey},
        now() + make_interval(secs => ${aheadS}))
      returning signs_from`.execute(trx)
  return (rows[0] as { signs_from: Date }).signs_from
}

/** Retires a key now, which makes all its tokens invalid. @returns whether it existed and was not retired yet */
export async function retire(trx: Trx, kid: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .withSchema('app')
    .updateTable('signing_keys')
    .set({ signs_until: sql<Date>`least(signs_until, now())`, retired_at: sql<Date>`now()` })
    .where('kid', '=', kid)
    .where((eb) => eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', sql<Date>`now()`)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Deletes keys that were retired more than `agoS` seconds ago. */
export async function deleteRetired(trx: Trx, agoS: number): Promise<void> {
  await trx
    .withSchema('app')
    .deleteFrom('signing_keys')
    .where('retired_at', '<', sql<Date>`now() - make_interval(secs => ${agoS})`)
    .execute()
}
