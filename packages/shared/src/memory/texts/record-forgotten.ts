import type { Caller } from '../../catalogue/operation.ts'
import type { Trx } from '../../platform/database/database.ts'
import { recordAudit } from '../../security/audit.ts'

/**
 * Says in the audit log how many patterns somebody had removed; what they held is gone, there too. Nothing was done where
 * there were none, and nothing is said: who asks for that again and again fills no log.
 */
export async function recordForgotten(
  trx: Trx,
  { actor, origin, organizationId, environment }: Caller,
  forgotten: number,
): Promise<void> {
  if (forgotten === 0) return
  await recordAudit(trx, {
    action: 'memory_forgotten',
    actor,
    origin,
    organizationId,
    userId: actor.kind === 'user' ? actor.userId : undefined,
    details: { forgotten, environment },
  })
}
