import { recordAudit } from '@memory/shared/audit/audit'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { Trx } from '@memory/shared/platform/database/database'

/**
 * Says in the audit log how many patterns somebody had removed; what they held is gone, there too. Nothing was done where
 * there were none, and nothing is said: who asks for that again and again fills no log.
 * @param versions of patterns that are there in another one
 */
export async function recordForgotten(
  trx: Trx,
  { actor, origin, organizationId, environment }: Caller,
  forgotten: number,
  versions = 0,
): Promise<void> {
  if (forgotten + versions === 0) return
  await recordAudit(trx, {
    action: 'memory_forgotten',
    actor,
    origin,
    organizationId,
    userId: actor.kind === 'user' ? actor.userId : undefined,
    details: {
      ...(forgotten > 0 && { forgotten }),
      ...(versions > 0 && { versions_redacted: versions }),
      environment,
    },
  })
}
