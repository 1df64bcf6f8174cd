import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import type { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import type { ReceiptAuthority } from '@memory/shared/receipts/receipt'
import { type CacheParts, type Caches, openCaches } from './caches.ts'
import type { Compute } from './compute.ts'
import type { MetadataCacheEvents } from './filter/metadata-cache.ts'
import { MapCache } from './map/map-cache.ts'
import type { PatternCacheEvents, Payloads } from './patterns/pattern-cache.ts'
import { Prefetcher } from './prefetch/prefetcher.ts'
import { PathwayCosts } from './routing/pathway-costs.ts'
import { AccessLog } from './tiers/access-log.ts'
import { SpeculativeSearches } from './vectors/speculative-search.ts'

/** What the memory services work with. */
export interface MemoryContext extends Omit<Caches, 'payloads'> {
  payloads: Payloads
  queries: Queries
  compute: Compute
  speculativeSearches: Pick<SpeculativeSearches, 'begin' | 'take'>
  prefetcher: Pick<Prefetcher, 'warmLater' | 'flush'>
  accesses: AccessLog
  maps: MapCache
  /** How long ways to answer take in this process. */
  pathwayCosts: PathwayCosts
  /** Signs receipts of erasures. */
  receipts: ReceiptAuthority
  /** Revisions of a pattern that are kept when others take their place. */
  versionsKept: number
  clock: Clock
  log: Log
}

/** What the memory of a process that answers requests is made of. */
export interface MemoryParts extends CacheParts {
  compute: Compute & {
    /** Tasks that wait for a thread. */
    readonly queued: number
  }
  lowPriority: LowPriorityQueue
  receipts: ReceiptAuthority
  versionsKept: number
  events: MemoryEvents
}

/** What is told of how the memory of a process does. */
export interface MemoryEvents extends PatternCacheEvents, MetadataCacheEvents {
  /** What patterns were found was a hint to what is asked for next; so many hints were followed, and so many not. */
  hinted(taken: number, dropped: number): void
}

/** Opens the memory of a process that answers requests. */
export function openMemory(parts: MemoryParts): MemoryContext {
  const { queries, clock, log, lowPriority, compute, receipts, events } = parts
  const { modelId } = compute
  const caches = openCaches({ ...parts, modelId, payloadEvents: events, metadataEvents: events })
  const maps = new MapCache()
  caches.spaces.changes
    .on('committed', (spaceId, _version, { removed = [] }) => {
      if (removed.length > 0) maps.drop(spaceId)
    })
    .on('removed', (spaceId) => maps.drop(spaceId))
    .on('dropped', (spaceId) => maps.drop(spaceId))
  return {
    ...caches,
    queries,
    compute,
    speculativeSearches: new SpeculativeSearches(compute, caches.spaces),
    prefetcher: new Prefetcher(
      { ...caches, clock },
      { isBusy: () => compute.queued > 0, onHints: (taken, dropped) => events.hinted(taken, dropped) },
    ),
    accesses: new AccessLog(queries, clock, lowPriority),
    maps,
    pathwayCosts: new PathwayCosts(),
    receipts,
    versionsKept: parts.versionsKept,
    clock,
    log,
  }
}
