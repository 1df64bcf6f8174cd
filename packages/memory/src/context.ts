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

/** Everything that the services of this package use: caches, database, threads, clock and log. Made by `openMemory`. */
export interface MemoryContext extends Omit<Caches, 'payloads'> {
  payloads: Payloads
  queries: Queries
  compute: Compute
  speculativeSearches: Pick<SpeculativeSearches, 'begin' | 'take'>
  prefetcher: Pick<Prefetcher, 'warmLater' | 'flush'>
  accesses: AccessLog
  maps: MapCache
  /** Measured durations of the pathways in this process, which routing weighs against accuracy. */
  pathwayCosts: PathwayCosts
  /** Signs the receipts of erasures. */
  receipts: ReceiptAuthority
  /** How many earlier revisions of each pattern are kept. */
  versionsKept: number
  clock: Clock
  log: Log
}

/** What `openMemory` needs. */
export interface MemoryParts extends CacheParts {
  compute: Compute & {
    /** How many tasks wait for a thread. */
    readonly queued: number
  }
  lowPriority: LowPriorityQueue
  receipts: ReceiptAuthority
  versionsKept: number
  events: MemoryEvents
}

/** Called as things happen, for metrics. */
export interface MemoryEvents extends PatternCacheEvents, MetadataCacheEvents {
  /**
   * A pattern that is found hints at the one asked for next. `taken` hints were followed by the prefetcher; `dropped` ones
   * were not, since the process was busy or there were too many.
   */
  hinted(taken: number, dropped: number): void
}

/** Opens the memory of a process that answers requests. */
export function openMemory(parts: MemoryParts): MemoryContext {
  const { queries, clock, log, lowPriority, compute, receipts, events } = parts
  const { modelId } = compute
  const caches = openCaches({ ...parts, modelId, payloadEvents: events, metadataEvents: events })
  const maps = new MapCache()
  caches.spaces.changes
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
