import { sql } from 'kysely'
import type { Place } from '../secrets.ts'
import type { Trx } from './database.ts'

/** A column of sealed values. Each is bound to the id of its row. */
export interface SealedColumn {
  table: 'signing_keys' | 'receipt_keys' | 'mfa_factors' | 'mails' | 'webhook_secrets'
  column: string
  id: string
  purpose: Place['purpose']
}

/** Every column of sealed values, or of nulls; the task `keep-secrets` may change their tables. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'signing_keys', column: 'private_key', id: 'kid', purpose: 'signing-key' },
  { table: 'receipt_keys', column: 'private_key', id: 'kid', purpose: 'receipt-key' },
  { table: 'mfa_factors', column: 'secret', id: 'user_id', purpose: 'totp-seed' },
  { table: 'mails', column: 'parameters', id: 'id', purpose: 'mail' },
  { table: 'webhook_secrets', column: 'secret', id: 'id', purpose: 'webhook-secret' },
]

/** A sealed value and the row that holds it. */
export interface SealedValue {
  id: string
  sealed: Uint8Array
}

/** The versions (hex) of master keys that values in the database are sealed under. */
export async function listVersions(trx: Trx): Promise<string[]> {
  const each = sealedColumns.map(
    ({ table, column }) =>
      sql`select ${versionOf(column)} as version from ${sql.id('app', table)} where ${sql.id(column)} is not null`,
  )
  const { rows } = await sql<{ version: string }>`${sql.join(each, sql` union `)}`.execute(trx)
  return rows.map(({ version }) => version)
}

/** Whether an event waits that has a text sealed under another version. Nobody seals it anew: it is delivered in a moment. */
export async function isAnotherAwaited(trx: Trx, version: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from app.outbox
      where encode(substr(decode(payload ->> 'sealed', 'base64'), 1, 4), 'hex') <> ${version}) as found`.execute(
    trx,
  )
  return rows[0]?.found === true
}

/** Values that are not sealed under this version, in the order of their ids after `after`. */
export async function readOutdated(
  trx: Trx,
  { table, column, id }: SealedColumn,
  version: string,
  after: string,
  limit: number,
): Promise<SealedValue[]> {
  const { rows } = await sql<SealedValue>`
    select ${sql.id(id)}::text as id, ${sql.id(column)} as sealed from ${sql.id('app', table)}
      where ${versionOf(column)} <> ${version} and ${sql.id(id)}::text > ${after}
      order by ${sql.id(id)}::text limit ${limit}`.execute(trx)
  return rows
}

/** Replaces a sealed value by the resealed one, unless it has been changed meanwhile. */
export async function replace(
  trx: Trx,
  { table, column, id: idColumn }: SealedColumn,
  { id, sealed }: SealedValue,
  resealed: Uint8Array,
): Promise<void> {
  await sql`update ${sql.id('app', table)} set ${sql.id(column)} = ${resealed}
    where ${sql.id(idColumn)}::text = ${id} and ${sql.id(column)} = ${sealed}`.execute(trx)
}

/** A proof of a master key: a sealed text that only this key can open. */
export interface Proof {
  version: string
  proof: Uint8Array
}

/** The proofs of the master keys that are in use, oldest first. */
export function readProofs(trx: Trx): Promise<Proof[]> {
  return trx
    .withSchema('app')
    .selectFrom('master_keys')
    .select(['version', 'proof'])
    .orderBy('created_at')
    .execute()
}

export async function insertProof(trx: Trx, proof: Proof): Promise<void> {
  await trx
    .withSchema('app')
    .insertInto('master_keys')
    .values(proof)
    .onConflict((conflict) => conflict.column('version').doNothing())
    .execute()
}

/**
 * Makes the proof of a master key the newest, unless that of another is and was made so lately: some process that has the
 * other key first still runs then, or ended a moment ago. @returns whether it is the newest
 */
export async function renewProof(trx: Trx, version: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update app.master_keys m set created_at = now()
      where m.version = ${version} and not exists (
        select from app.master_keys o where o.created_at > greatest(m.created_at, now() - interval '30 minutes')
      )`.execute(trx)
  return numAffectedRows > 0n
}

/** Deletes the proofs of all master keys but one. @returns whether there was another */
export async function deleteOtherProofs(trx: Trx, version: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .withSchema('app')
    .deleteFrom('master_keys')
    .where('version', '<>', version)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** A sealed value begins with the version of its master key. */
const versionOf = (column: string) => sql<string>`encode(substr(${sql.id(column)}, 1, 4), 'hex')`
