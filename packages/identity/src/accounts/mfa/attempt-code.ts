import { ApiError } from '@memory/shared/catalogue/errors'
import type { Throttle } from '@memory/shared/throttle/throttle'

/**
 * Runs `work`, which checks a code of a user, within the user's limit of attempts; it counts attempts from any address and for
 * any purpose. An attempt is counted before, and uncounted unless the code was wrong. A right code does not clear earlier wrong
 * ones.
 * @throws ApiError too_many_attempts; what `work` throws
 */
export async function attemptCode<T>(throttle: Throttle, userId: string, work: () => Promise<T>): Promise<T> {
  const attempts = [{ rule: 'mfaUser', of: [userId] }] as const
  const result = await throttle.attempt(attempts, work, isWrongCode)
  await throttle.giveBack(attempts)
  return result
}

const isWrongCode = (error: unknown) => error instanceof ApiError && error.code === 'invalid_mfa_code'
