import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Compute } from './compute.ts'
import type { SpaceCache } from './index/space-cache.ts'
import type { Learning } from './learning/learning.ts'
import type { LearningCache } from './learning/learning-cache.ts'
import type { TextCache } from './lexical/text-cache.ts'
import type { PayloadCache } from './patterns/payloads.ts'
import type { Prefetcher } from './prefetch/prefetcher.ts'
import type { PathwayCosts } from './routing/pathway-costs.ts'
import type { AccessLog } from './tiers/access-log.ts'
import type { SpeculativeSearches } from './vectors/speculative-search.ts'

/** What the memory services work with. */
export interface MemoryContext {
  queries: Queries
  compute: Compute
  spaces: SpaceCache
  speculativeSearches: SpeculativeSearches
  payloads: PayloadCache
  prefetcher: Pick<Prefetcher, 'warmLater' | 'flush'>
  accesses: AccessLog
  /** What uses teach, on its way to the database. */
  learning: Learning
  /** What spaces have learned, for those who answer. */
  learned: LearningCache
  texts: TextCache
  /** How long ways to answer take in this process. */
  pathwayCosts: PathwayCosts
  clock: Clock
}
