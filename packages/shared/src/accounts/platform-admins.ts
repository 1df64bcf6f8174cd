import type { Queries } from '../platform/database/database.ts'
import * as store from './user-store.ts'

/** Makes these users platform admins, and no others: at each start, so that the settings are what counts. */
export function appointPlatformAdmins(queries: Queries, emails: readonly string[]): Promise<void> {
  return store.appointPlatformAdmins(queries, emails)
}
