import { recordAudit } from '@memory/shared/audit/audit'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { Trx } from '@memory/shared/platform/database/database'

/**
 * Says in the audit log how many patterns somebody had removed; what they held is gone, there too. Nothing was done where
 * there were none, and nothing is said: who asks for that again and again fills no log.
 */
export async function recordForgotten(trx: Trx, caller: Caller, forgotten: number): Promise<void> {
  if (forgotten > 0) await record(trx, caller, { forgotten })
}

/** Says so of what a version of a pattern held that is there in another one. */
export const recordRedacted = (trx: Trx, caller: Caller): Promise<void> =>
  record(trx, caller, { versions_redacted: 1 })

function record(
  trx: Trx,
  { actor, origin, organizationId, environment }: Caller,
  details: Record<string, number>,
): Promise<void> {
  return recordAudit(trx, {
    action: 'memory_forgotten',
    actor,
    origin,
    organizationId,
    userId: actor.kind === 'user' ? actor.userId : undefined,
    details: { ...details, environment },
  })
}
