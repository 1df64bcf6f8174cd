import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { voidChallenges, voidEnrolment } from './mfa-store.ts'

/** A user's profile; undefined when the user does not exist. */
export function find(trx: Trx, userId: string) {
  return trx
    .withSchema('app')
    .selectFrom('users')
    .select([
      'id',
      'email',
      'full_name',
      'email_verified_at',
      'status',
      'created_at',
      'last_login_at',
      'avatar_url',
      'is_platform_admin',
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('mfa_factors')
            .select(sql`1`.as('one'))
            .whereRef('mfa_factors.user_id', '=', 'users.id')
            .where('confirmed_at', 'is not', null),
        )
        .as('mfa_enabled'),
    )
    .where('id', '=', userId)
    .executeTakeFirst()
}

export async function setName(trx: Trx, userId: string, name: string | null): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('users')
    .set({ full_name: name })
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

export async function findPasswordHash(trx: Trx, userId: string): Promise<string | undefined> {
  const row = await trx
    .withSchema('app')
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.password_hash
}

/**
 * After a change of the password: ends everything begun with the old one, since that may have been an attacker. These are
 * sign-ins that wait for a code, links to reset the password, and an unconfirmed enrolment of a second factor.
 */
export async function voidPending(trx: Trx, userId: string): Promise<void> {
  await voidChallenges(trx, userId)
  await voidEnrolment(trx, userId)
  await trx
    .withSchema('app')
    .deleteFrom('email_tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'reset-password')
    .execute()
}
