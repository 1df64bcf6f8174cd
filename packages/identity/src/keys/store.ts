import type { SubjectBinding } from '@memory/shared/catalogue/operation'
import type { Scope } from '@memory/shared/catalogue/scopes'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { purgeRows } from '@memory/shared/platform/database/purge'
import type { Environment } from '@memory/shared/platform/database/tables'
import type { Use } from '@memory/shared/platform/last-use'
import { sql } from 'kysely'

export interface Authentication {
  outcome: 'ok' | 'unknown_key' | 'missing_scope' | 'queries_exhausted'
  key_id: string
  organization_id: string
  space_id: string
  environment: Environment
  scopes: string[] | null
  space_version: number
  engine_version: number
  patterns_limit: number
  queries_counted: number
  queries_limit: number | null
  queries_used: number | null
  valid_until: Date | null
  /** The end user to whom the key is bound; null: not bound. */
  subject: string | null
  subject_shared: boolean
}

/**
 * Looks up a key's caller and space and counts the queries, in one round trip.
 * @param keyHash in hex
 */
export async function authenticate(
  queries: Queries,
  keyHash: string,
  scope: Scope | null,
  count: number,
): Promise<Authentication> {
  const { rows } = await sql<Authentication>`
    select * from app.caller_of_key(decode(${keyHash}, 'hex'), ${scope}, ${count})`.execute(queries)
  const [row] = rows
  if (row === undefined) throw new Error('Authentication gave no row.')
  return row
}

/** The contents of an end user's token that was made with an API key. */
export interface KeyOfToken {
  organizationId: string
  keyId: string
  /** The id of the signing key. */
  kid: string
}

/** Like `authenticate`, for a token that was made with an API key. */
export async function authenticateByToken(
  queries: Queries,
  { organizationId, keyId, kid }: KeyOfToken,
  scope: Scope | null,
  count: number,
): Promise<Omit<Authentication, 'outcome'> & { outcome: Authentication['outcome'] | 'token_revoked' }> {
  const { rows } = await sql<Authentication>`
    select * from app.caller_of_subject_token(${organizationId}, ${keyId}, ${kid}, ${scope}, ${count})`.execute(
    queries,
  )
  const [row] = rows
  if (row === undefined) throw new Error('Authentication gave no row.')
  return row
}

/** Whether a key exists in any organization, even if revoked or expired. @param keyHash in hex */
export async function isKnown(trx: Trx, keyHash: string): Promise<boolean> {
  await sql`select set_config('app.key_hash', ${keyHash}, true)`.execute(trx)
  const row = await trx
    .withSchema('app')
    .selectFrom('api_keys')
    .select('id')
    .where('key_hash', '=', Buffer.from(keyHash, 'hex'))
    .executeTakeFirst()
  return row !== undefined
}

export async function returnQueries(queries: Queries, spaceId: string, count: number): Promise<void> {
  await sql`select app.return_queries(${spaceId}, ${count})`.execute(queries)
}

export async function touch(queries: Queries, used: readonly Use[]): Promise<void> {
  await sql`select app.touch_api_keys(
    ${used.map((u) => u.ownerId)}::uuid[], ${used.map((u) => u.id)}::uuid[],
    ${used.map((u) => u.at.toISOString())}::timestamptz[])`.execute(queries)
}

const listed = [
  'id',
  'name',
  'key_prefix',
  'environment',
  'scopes',
  'last_used_at',
  'expires_at',
  'created_at',
  'subject',
  'subject_shared',
] as const

/** The organization's keys that are not revoked, oldest first. */
export function list(trx: Trx, organizationId: string) {
  return trx
    .withSchema('app')
    .selectFrom('api_keys')
    .select(listed)
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .execute()
}

export type ListedKey = Awaited<ReturnType<typeof list>>[number]

/** The names of the organization's keys by their ids, revoked ones too. */
export async function listNames(trx: Trx, organizationId: string): Promise<Map<string, string>> {
  const rows = await trx
    .withSchema('app')
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export interface NewKey {
  organizationId: string
  name: string
  environment: Environment
  key: string
  prefix: string
  /** In hex. */
  hash: string
  scopes: Scope[] | null
  expiresAt: Date | null
  /** The end user to whom it is bound; undefined: not bound. */
  subject?: SubjectBinding | undefined
  /** The user who made it; null for an operator. */
  createdBy: string | null
}

export function insert(trx: Trx, key: NewKey): Promise<ListedKey> {
  return trx
    .withSchema('app')
    .insertInto('api_keys')
    .values({
      organization_id: key.organizationId,
      name: key.name,
      environment: key.environment,
      key_prefix: key.prefix,
      last_four: key.key.slice(-4),
      key_hash: Buffer.from(key.hash, 'hex'),
      scopes: key.scopes,
      expires_at: key.expiresAt,
      created_by: key.createdBy,
      subject: key.subject?.name ?? null,
      subject_shared: key.subject?.isShared ?? false,
    })
    .returning(listed)
    .executeTakeFirstOrThrow()
}

/** A key that is not revoked, and whether it has expired; undefined when there is none. */
export async function find(
  trx: Trx,
  organizationId: string,
  keyId: string,
): Promise<{ listed: ListedKey; expired: boolean } | undefined> {
  const row = await trx
    .withSchema('app')
    .selectFrom('api_keys')
    .select(listed)
    .select(sql<boolean>`coalesce(expires_at <= now(), false)`.as('expired'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { expired, ...key } = row
  return { listed: key, expired }
}

/** The properties of a key that may be changed. */
export interface KeyChange {
  name?: string
  scopes?: Scope[] | null
  expires_at?: Date | null
}

/** Changes a key. @throws when it does not exist */
export function change(
  trx: Trx,
  organizationId: string,
  keyId: string,
  change: KeyChange,
): Promise<ListedKey> {
  return trx
    .withSchema('app')
    .updateTable('api_keys')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .returning(listed)
    .executeTakeFirstOrThrow()
}

/** Revokes a key. @returns its name; undefined when it does not exist or is revoked already */
export async function revoke(trx: Trx, organizationId: string, keyId: string): Promise<string | undefined> {
  const row = await trx
    .withSchema('app')
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** Keys that count against the plan: neither revoked nor expired. */
export async function countActive(trx: Trx, organizationId: string): Promise<number> {
  const { active } = await trx
    .withSchema('app')
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('active'))
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', eb.fn<Date>('now'))]))
    .executeTakeFirstOrThrow()
  return Number(active)
}

/** Keys that were made within so many seconds, and how many seconds ago the first of them was. */
export async function countMade(
  trx: Trx,
  organizationId: string,
  withinS: number,
): Promise<{ made: number; firstAgoS: number }> {
  const { rows } = await sql<{ made: number; firstAgoS: number }>`
    select count(*)::int as made, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "firstAgoS"
      from app.api_keys
      where organization_id = ${organizationId} and created_at > now() - make_interval(secs => ${withinS})`.execute(
    trx,
  )
  return rows[0] as { made: number; firstAgoS: number }
}

/**
 * Removes keys that have opened nothing for 90 days: the task sees no others. Those that no user made stay, among which is the
 * one in the file of a local start: without its row, it would be taken for one that the database never had, and replaced.
 */
export function purge(queries: Queries): Promise<void> {
  // In the words of the index.
  const isOld = sql`least(t.revoked_at, t.expires_at) < now() - interval '90 days'
    and (t.revoked_at is not null or t.expires_at is not null) and t.created_by is not null`
  return purgeRows(queries, 'purge-keys', 'api_keys', isOld)
}
