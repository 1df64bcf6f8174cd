import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** Wrong codes after which a challenge has ended. */
const challengeAttempts = 5
/** Minutes for which a challenge is valid. */
const challengeMinutes = 5

export interface Factor {
  /** Sealed. */
  secret: Uint8Array
  /** Null until the enrolment is confirmed by a code. */
  confirmed_at: Date | null
}

export function findFactor(trx: Trx, userId: string): Promise<Factor | undefined> {
  return trx
    .withSchema('app')
    .selectFrom('mfa_factors')
    .select(['secret', 'confirmed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Begins an enrolment; does nothing when there is a factor or an enrolment already. */
export async function insertFactor(trx: Trx, userId: string, secret: Uint8Array): Promise<void> {
  await trx
    .withSchema('app')
    .insertInto('mfa_factors')
    .values({ user_id: userId, secret })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}

/** Completes the enrolment: from now on sign-ins need the factor. */
export async function confirmFactor(trx: Trx, userId: string): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('mfa_factors')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .execute()
}

/** Accepts a code's time step, so that each code works once. @returns false when it, or a later one, was accepted before */
export async function useStep(trx: Trx, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .withSchema('app')
    .updateTable('mfa_factors')
    .set({ login_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where('login_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Removes a user's factor with its recovery codes and challenges. */
export async function removeFactor(trx: Trx, userId: string): Promise<void> {
  const table = trx.withSchema('app')
  await table
    .deleteFrom('mfa_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .execute()
  await table.deleteFrom('mfa_recovery_codes').where('user_id', '=', userId).execute()
  await voidChallenges(trx, userId)
}

/** Replaces a user's recovery codes. */
export async function replaceRecoveryCodes(
  trx: Trx,
  userId: string,
  hashes: readonly Uint8Array[],
): Promise<void> {
  const table = trx.withSchema('app')
  await table.deleteFrom('mfa_recovery_codes').where('user_id', '=', userId).execute()
  await table
    .insertInto('mfa_recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** Uses up a recovery code. @returns how many are left; undefined when the code is wrong or was used before */
export async function useRecoveryCode(
  trx: Trx,
  userId: string,
  hash: Uint8Array,
): Promise<number | undefined> {
  const table = trx.withSchema('app')
  const { numUpdatedRows } = await table
    .updateTable('mfa_recovery_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return undefined
  const { left } = await table
    .selectFrom('mfa_recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(left)
}

export async function insertChallenge(trx: Trx, userId: string, tokenHash: Uint8Array): Promise<void> {
  await trx
    .withSchema('app')
    .insertInto('mfa_challenges')
    .values({
      user_id: userId,
      token_hash: tokenHash,
      expires_at: sql<Date>`now() + make_interval(mins => ${challengeMinutes})`,
    })
    .execute()
}

/** The id of the user whose challenge has this token. */
export async function findChallenged(trx: Trx, tokenHash: Uint8Array): Promise<string | undefined> {
  const row = await trx
    .withSchema('app')
    .selectFrom('mfa_challenges')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.user_id
}

/** Counts an attempt at a challenge. @returns false when it has no attempts left, was passed, or has expired */
export async function takeChallengeAttempt(
  trx: Trx,
  userId: string,
  tokenHash: Uint8Array,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .withSchema('app')
    .updateTable('mfa_challenges')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .where('failures', '<', challengeAttempts)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Closes a challenge that was passed: it can't be used again. */
export async function closeChallenge(trx: Trx, userId: string, tokenHash: Uint8Array): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('mfa_challenges')
    .set((eb) => ({ used_at: sql<Date>`now()`, failures: eb('failures', '-', 1) }))
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Ends a user's challenges: sign-ins that wait for a code have to start over. */
export async function voidChallenges(trx: Trx, userId: string): Promise<void> {
  await trx.withSchema('app').deleteFrom('mfa_challenges').where('user_id', '=', userId).execute()
}

/** Removes an unconfirmed enrolment, which then has to start over with another secret. */
export async function voidEnrolment(trx: Trx, userId: string): Promise<void> {
  await trx
    .withSchema('app')
    .deleteFrom('mfa_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .execute()
}
