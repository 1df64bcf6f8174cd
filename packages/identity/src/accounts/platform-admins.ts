import type { Queries } from '@memory/shared/platform/database/database'
import * as store from './user-store.ts'

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
  return store.appointPlatformAdmins(queries, emails, verifiedOnly, stays)
}
