import { regardless } from './asker.ts'
import type { Log } from './log.ts'
import { every, type Periodic } from './periodic.ts'

/** How long a lease outlives its process: what a killed one held, another may have after this time. */
export const leaseSeconds = 4
/** Up to three renewals may fail, because the process or the database is busy, before another may take over what is held. */
const renewEveryMs = 1_000

/**
 * Renews a lease each second until it is stopped, so that what takes long keeps it, also while whoever asked for it has hung up.
 * @param name of the work, as in "… failed"
 * @param renew extends it to `leaseSeconds` from now, if it is still held
 */
export function renewing(name: string, renew: () => Promise<unknown>, log: Log): Periodic {
  return regardless(() => every(renewEveryMs, name, renew, log))
}
