import { recordAudit } from '@memory/shared/audit/audit'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { Trx } from '@memory/shared/platform/database/database'

/**
 * What somebody named to have patterns or versions removed, each a condition that they have to meet; `all`: the whole space. What it
 * said is not in the log, since that may be of people too.
 */
export type ForgottenBy =
  | 'id'
  | 'external_id'
  | 'key'
  | 'query'
  | 'category'
  | 'filter'
  | 'subject'
  | 'version'
  | 'all'

/** Those of a body's selectors that are given, in the order of `names`. */
export const givenOf = <Name extends string>(names: readonly (readonly [Name, unknown])[]): Name[] =>
  names.filter(([, value]) => value != null).map(([name]) => name)

/**
 * Records in the audit log how many patterns somebody removed and by what they named them, without their contents. Nothing is
 * recorded if there were none, so that repeated requests don't fill the log.
 * @param by all that was named
 * @param versions how many earlier revisions of patterns that stay were erased
 */
export async function recordForgotten(
  trx: Trx,
  { actor, origin, organizationId, environment }: Caller,
  by: readonly ForgottenBy[],
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
      by,
      environment,
    },
  })
}
