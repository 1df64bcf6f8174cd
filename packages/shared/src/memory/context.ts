import type { Clock } from '../platform/clock.ts'
import type { Queries } from '../platform/database/database.ts'
import type { AccessLog } from './access-log.ts'
import type { Compute } from './compute.ts'
import type { EarlySearches } from './early-searches.ts'
import type { ResidentSpaces } from './index/resident-spaces.ts'
import type { PayloadCache } from './payloads.ts'

/** What the memory services work with. */
export interface MemoryContext {
  queries: Queries
  compute: Compute
  spaces: ResidentSpaces
  earlySearches: EarlySearches
  payloads: PayloadCache
  accesses: AccessLog
  clock: Clock
}
