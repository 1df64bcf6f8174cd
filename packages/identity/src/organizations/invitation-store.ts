import { randomBytes } from 'node:crypto'
import type { Role } from '@memory/shared/catalogue/roles'
import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { purgeRows } from '@memory/shared/platform/database/purge'
import { sql } from 'kysely'

export interface NewInvitation {
  organizationId: string
  /** In the normalized form of `mailboxOf`. */
  email: string
  role: Role
  /** Of the token that is mailed; undefined: nothing is mailed, and the token of an earlier mail goes on. */
  tokenHash: Uint8Array | undefined
  invitedBy: string
  validDays: number
}

const shown = ['id', 'email', 'role', 'created_at', 'expires_at'] as const

/** Inserts an invitation. It replaces an earlier one to the same address. */
export function insert(trx: Trx, { tokenHash, ...invitation }: NewInvitation) {
  const row = {
    id: sql<string>`gen_random_uuid()`,
    role: invitation.role,
    invited_by: invitation.invitedBy,
    created_at: sql<Date>`now()`,
    expires_at: sql<Date>`now() + make_interval(days => ${invitation.validDays})`,
  }
  return trx
    .withSchema('app')
    .insertInto('invitations')
    .values({
      ...row,
      organization_id: invitation.organizationId,
      email: invitation.email,
      token_hash: tokenHash ?? randomBytes(32),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'email'])
        .doUpdateSet({ ...row, ...(tokenHash !== undefined && { token_hash: tokenHash }) }),
    )
    .returning(shown)
    .executeTakeFirstOrThrow()
}

export type Invitation = Awaited<ReturnType<typeof insert>>

/** Invitations that can still be accepted, oldest first. */
export function listPending(trx: Trx, organizationId: string): Promise<Invitation[]> {
  return trx
    .withSchema('app')
    .selectFrom('invitations')
    .select(shown)
    .where('organization_id', '=', organizationId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The number of invitations that can still be accepted, without the one to `exceptEmail`. */
export async function countPending(trx: Trx, organizationId: string, exceptEmail: string): Promise<number> {
  const { count } = await trx
    .withSchema('app')
    .selectFrom('invitations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .where('email', '<>', exceptEmail)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return count
}

export async function removeExpired(trx: Trx, organizationId: string): Promise<void> {
  await trx
    .withSchema('app')
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
}

/** The invitation of a presented token, if it can still be accepted. */
export function findByTokenHash(trx: Trx, tokenHash: Uint8Array) {
  return trx
    .withSchema('app')
    .selectFrom('invitations')
    .select(['organization_id', 'id', 'email', 'role', 'invited_by'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** Deletes an invitation. @returns undefined when there was none that could still be accepted */
export function remove(trx: Trx, organizationId: string, id: string): Promise<Invitation | undefined> {
  return trx
    .withSchema('app')
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(shown)
    .executeTakeFirst()
}

/** Deletes and returns the invitations for one of these roles that a member has sent and that can still be accepted. */
export function removeSentBy(
  trx: Trx,
  organizationId: string,
  userId: string,
  roles: readonly Role[],
): Promise<Invitation[]> {
  return trx
    .withSchema('app')
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('invited_by', '=', userId)
    .where('role', 'in', [...roles])
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(shown)
    .execute()
}

/** Deletes the invitations of all organizations that can no longer be accepted. */
export function purge(queries: Queries): Promise<void> {
  return purgeRows(queries, 'purge-invitations', 'invitations', sql`t.expires_at < now()`)
}
