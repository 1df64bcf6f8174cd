import { recordAudit } from '@memory/shared/audit/audit'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { Trx } from '@memory/shared/platform/database/database'

/**
 * Records in the audit log how many patterns somebody removed, without their contents. Nothing is recorded if there were none, so
 * that repeated requests don't fill the log.
 * @param versions how many earlier revisions of patterns that stay were erased
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
