import { parameters } from '@memory/engine/parameters'
import { daysOfDisuse, weakened } from '@memory/engine/sleep/downscale'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import type { Lease } from '../schedule/lease.ts'
import { dropFaded, hasFaded, listUnused, setStrengths } from './sleep-store.ts'

/**
 * Weakens those of the `count` patterns from `firstIdx` on that were unused for a week, and drops associations that have faded
 * away. In one transaction that locks the space, begun only if a first look finds something to do.
 * @returns how many patterns were weakened
 */
export async function weakenUnused(
  { learning, queries, clock }: Pick<MemoryContext, 'learning' | 'queries' | 'clock'>,
  spaceId: string,
  { renew }: Lease,
  firstIdx: number,
  count: number,
): Promise<number> {
  if (!(await isNeeded(queries, spaceId, clock.now(), firstIdx, count))) return 0
  return learning.revise(spaceId, async (trx, engineVersion, now) => {
    await renew(trx)
    const weaker = await listWeaker(trx, spaceId, now, firstIdx, count)
    if (weaker.length > 0) await setStrengths(trx, spaceId, engineVersion, now, weaker)
    await dropFaded(trx, spaceId, now, firstIdx, count)
    return weaker.length
  })
}

function isNeeded(
  queries: Queries,
  spaceId: string,
  now: Date,
  firstIdx: number,
  count: number,
): Promise<boolean> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const weaker = await listWeaker(trx, spaceId, now, firstIdx, count)
    return weaker.length > 0 || (await hasFaded(trx, spaceId, now, firstIdx, count))
  })
}

/** The patterns that have to be weakened, with their new strengths. */
async function listWeaker(
  trx: Trx,
  spaceId: string,
  now: Date,
  firstIdx: number,
  count: number,
): Promise<{ idx: number; strength: number }[]> {
  const since = new Date(now.getTime() - parameters.sleep.unusedMs)
  const unused = await listUnused(trx, spaceId, firstIdx, count, since)
  return unused.flatMap(({ idx, strength, ...disuse }) => {
    const left = weakened(strength, daysOfDisuse(disuse, now.getTime()))
    return left < strength ? [{ idx, strength: left }] : []
  })
}
