import { ApiError, type ErrorCode } from '@memory/shared/catalogue/errors'
import { loginAttempts } from '@memory/shared/throttle/attempts'
import type { Throttle } from '@memory/shared/throttle/throttle'

/** The errors of a wrong password or code. Only these count as failed attempts. */
const failures: readonly ErrorCode[] = ['invalid_login', 'invalid_mfa_code', 'wrong_password']

const isFailure = (error: unknown) => error instanceof ApiError && failures.includes(error.code)

/** Whose password or code is tried, and from which IP address. */
export interface Tried {
  /** In the normalized form of `mailboxOf`. */
  email: string
  ip: string | null
}

/**
 * Runs `work`, which checks a password or a code, within the limit of attempts. The attempt is counted before, so that concurrent
 * requests can't exceed the limit, and uncounted afterwards unless the password or code was wrong.
 * @param isSignedIn whether a result completes the sign-in; then the earlier failures of this email and address are forgotten
 * @throws ApiError too_many_attempts; what `work` throws
 */
export async function attemptLogin<T>(
  throttle: Throttle,
  { email, ip }: Tried,
  work: () => Promise<T>,
  isSignedIn: (result: T) => boolean = () => true,
): Promise<T> {
  const { pair, all } = loginAttempts(email, ip)
  const result = await throttle.attempt(all, work, isFailure)
  if (!isSignedIn(result)) await throttle.giveBack(all)
  else
    await throttle.giveBackAndClear(
      all.filter((attempt) => attempt !== pair),
      [pair],
    )
  return result
}
