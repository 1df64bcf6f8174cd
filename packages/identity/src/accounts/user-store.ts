import { spellingsOf } from '@memory/shared/catalogue/mailbox'
import { asTask, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { Tables } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'

export interface NewUser {
  id: string
  /** In the normalized form of `mailboxOf`. */
  email: string
  full_name: string | null
  password_hash: string
  is_platform_admin: boolean
  registered_locally: boolean
}

/** The fields of a user that signing in needs. */
export interface Account {
  id: string
  email: string
  password_hash: string
  status: Tables['users']['status']['__select__']
  email_verified_at: Date | null
}

/** Inserts a user. @returns false when the email is taken */
export async function insertUser(trx: Trx, user: NewUser): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .withSchema('app')
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Finds the account of an email, for somebody who is not authenticated yet. In earlier releases one mailbox could have several
 * accounts under different spellings (see `spellingsOf`): then a verified one comes first, then the one in ASCII.
 */
export async function findAccount(queries: Queries, email: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select a.* from unnest(${spellingsOf(email)}::text[]) with ordinality as s (email, n)
      cross join lateral app.find_account(s.email) a
      order by a.email_verified_at is null, s.n limit 1`.execute(queries)
  return rows[0]
}

/** The account of an email, if the transaction may see it; of several the one that `findAccount` would choose. */
export function findByEmail(trx: Trx, email: string): Promise<Account | undefined> {
  const spellings = spellingsOf(email)
  return accounts(trx)
    .where('email', 'in', spellings)
    .orderBy(sql`email_verified_at is null`)
    .orderBy(sql`array_position(${spellings}::text[], email)`)
    .executeTakeFirst()
}

/** The tenant's account, locked until the transaction ends. */
export function lockUser(trx: Trx, userId: string): Promise<Account | undefined> {
  return accounts(trx).where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()
}

const accounts = (trx: Trx) =>
  trx
    .withSchema('app')
    .selectFrom('users')
    .select(['id', 'email', 'password_hash', 'status', 'email_verified_at'])

export async function recordLogin(trx: Trx, userId: string): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('users')
    .set({ last_login_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute()
}

export async function setPasswordHash(trx: Trx, userId: string, hash: string): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', userId)
    .execute()
}

/** Replaces a password's hash. @returns false when the current hash is not `hash.old` any more */
export async function replacePasswordHash(
  trx: Trx,
  userId: string,
  hash: { old: string; new: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .withSchema('app')
    .updateTable('users')
    .set({ password_hash: hash.new })
    .where('id', '=', userId)
    .where('password_hash', '=', hash.old)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function setStatus(trx: Trx, userId: string, status: 'active' | 'suspended'): Promise<void> {
  await trx.withSchema('app').updateTable('users').set({ status }).where('id', '=', userId).execute()
}

/** Marks the email as verified. @param appoints whether this also makes the user a platform admin */
export async function markVerified(trx: Trx, userId: string, appoints: boolean): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('users')
    .set({
      email_verified_at: sql<Date>`coalesce(email_verified_at, now())`,
      is_platform_admin: sql<boolean>`is_platform_admin or ${appoints}::boolean`,
    })
    .where('id', '=', userId)
    .execute()
}

/** Makes the tenant's user a platform admin; the next start decides anew. @returns false when they were one already */
export async function appointPlatformAdmin(trx: Trx, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .withSchema('app')
    .updateTable('users')
    .set({ is_platform_admin: true })
    .where('id', '=', userId)
    .where('is_platform_admin', '=', false)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The organization for a user's requests that name none: that of the oldest membership. Null for a user without one. */
export async function findOrganization(trx: Trx, userId: string): Promise<string | null> {
  const { rows } = await sql<{ organization_id: string | null }>`
    select app.oldest_organization(${userId}) as organization_id`.execute(trx)
  return rows[0]?.organization_id ?? null
}

/**
 * Makes exactly these users platform admins. Called at each start, so that the settings decide. A user with an unverified address
 * does not become one, since anybody could have registered the address, unless they registered on this machine.
 * @param verifiedOnly whether even those who registered on this machine must verify their address
 * @param stays the id of a user who is not in the settings but stays a platform admin: the operator of a local start
 * @returns how many have yet to verify their address
 */
export function appointPlatformAdmins(
  queries: Queries,
  emails: readonly string[],
  verifiedOnly = false,
  stays?: string,
): Promise<number> {
  const spellings = emails.flatMap(spellingsOf)
  return asTask(queries, 'administer-accounts', async (trx) => {
    await sql`update app.users set is_platform_admin = not is_platform_admin
      where (is_platform_admin or email = any(${spellings}::text[])) and id is distinct from ${stays ?? null}::uuid and is_platform_admin <> (email = any(${spellings}::text[])
        and (email_verified_at is not null or (registered_locally and not ${verifiedOnly}::boolean)))`.execute(
      trx,
    )
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from app.users
      where email = any(${spellings}::text[]) and status <> 'deleted' and not is_platform_admin`.execute(trx)
    return rows[0]?.count ?? 0
  })
}
