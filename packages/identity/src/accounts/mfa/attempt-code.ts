import { ApiError } from '@memory/shared/catalogue/errors'
import type { Throttle } from '@memory/shared/throttle/throttle'

/**
 * Runs `work`, which checks a code of a user, as one of the attempts that are allowed to the user from anywhere and
 * whatever they are made for. Taken before and given back unless the code is wrong; right codes forgive no wrong ones.
 * @throws ApiError too_many_attempts, and what `work` throws
 */
export async function attemptCode<T>(throttle: Throttle, userId: string, work: () => Promise<T>): Promise<T> {
  const attempts = [{ rule: 'mfaUser', of: [userId] }] as const
  const result = await throttle.attempt(attempts, work, isWrongCode)
  await throttle.giveBack(attempts)
  return result
}

const isWrongCode = (error: unknown) => error instanceof ApiError && error.code === 'invalid_mfa_code'
