import type { Caller, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { TierDistribution, TierStatistics } from './tier-schema.ts'
import { findCounters, getDistribution } from './tier-store.ts'

type Reading = Pick<MemoryContext, 'queries'>

/** How many patterns each tier holds. */
export async function tierDistribution(
  { queries }: Reading,
  caller: Caller,
): Promise<Output<typeof TierDistribution>> {
  const { hot, warm, cold } = await getDistribution(queries, caller.spaceId)
  return { hot, warm, cold, total: hot + warm + cold }
}

/** Which tiers the answers of the space came from, and what moved. */
export async function tierStatistics(
  { queries }: Reading,
  caller: Caller,
): Promise<Output<typeof TierStatistics>> {
  const {
    hot_hits = 0,
    warm_hits = 0,
    cold_hits = 0,
    promotions = 0,
    demotions = 0,
  } = (await findCounters(queries, caller.spaceId)) ?? {}
  const total = hot_hits + warm_hits + cold_hits
  const rate = (hits: number) => (total === 0 ? 0 : hits / total)
  return {
    hot_hit_rate: rate(hot_hits),
    warm_hit_rate: rate(warm_hits),
    cold_hit_rate: rate(cold_hits),
    promotions,
    demotions,
    total_accesses: total,
  }
}
