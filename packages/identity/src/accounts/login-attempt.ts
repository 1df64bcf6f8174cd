import { ApiError, type ErrorCode } from '@memory/shared/catalogue/errors'
import { loginAttempts } from '@memory/shared/throttle/attempts'
import type { Throttle } from '@memory/shared/throttle/throttle'

/** What a wrong password or code ends with. Whatever else goes wrong is nobody's guess. */
const failures: readonly ErrorCode[] = ['invalid_login', 'invalid_mfa_code', 'wrong_password']

const isFailure = (error: unknown) => error instanceof ApiError && failures.includes(error.code)

/** Whose password or code is tried, and from where. */
export interface Tried {
  /** The name of the mailbox. */
  email: string
  ip: string | null
}

/**
 * Runs `work`, which checks a password or a code, as one of the attempts that are allowed. The attempt is taken before,
 * so that of many at once only as many are made, and given back unless it fails.
 * @param isSignedIn whether nothing is missing after this result: then earlier failures are forgotten
 * @throws ApiError too_many_attempts, and what `work` throws
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
