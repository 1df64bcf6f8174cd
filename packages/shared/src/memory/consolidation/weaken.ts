import { parameters } from '../../engine/parameters.ts'
import { daysOfDisuse, weakened } from '../../engine/sleep/downscale.ts'
import type { MemoryContext } from '../context.ts'
import type { Lease } from './lease.ts'
import { dropFaded, listUnused, setStrengths } from './sleep-store.ts'

/**
 * Weakens those of `count` patterns that were unused for a week and drops associations that have faded away, in one
 * transaction. @returns how many patterns are weaker
 */
export function weakenUnused(
  { learning }: Pick<MemoryContext, 'learning'>,
  spaceId: string,
  { renew }: Lease,
  firstIdx: number,
  count: number,
): Promise<number> {
  return learning.revise(spaceId, async (trx, engineVersion, now) => {
    await renew(trx)
    const since = new Date(now.getTime() - parameters.sleep.unusedMs)
    const unused = await listUnused(trx, spaceId, firstIdx, count, since)
    const weaker = unused.flatMap(({ idx, strength, ...disuse }) => {
      const left = weakened(strength, daysOfDisuse(disuse, now.getTime()))
      return left < strength ? [{ idx, strength: left }] : []
    })
    if (weaker.length > 0) await setStrengths(trx, spaceId, engineVersion, now, weaker)
    await dropFaded(trx, spaceId, now, firstIdx, count)
    return weaker.length
  })
}
