import type { Queries } from '@memory/shared/platform/database/database'
import * as store from './user-store.ts'

/**
 * Makes these users platform admins, and no others: at each start, so that the settings are what counts. Those whose
 * address is not verified are none yet, because whoever comes first can register it, unless they registered on this very
 * machine; with `verifiedOnly` not even those.
 * @param stays a user who goes on being one, if they are: the operator of a local start
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
