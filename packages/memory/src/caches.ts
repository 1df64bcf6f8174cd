import { getHeapStatistics } from 'node:v8'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import type { Log } from '@memory/shared/platform/log'
import type { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import { MetadataCache, type MetadataCacheEvents } from './filter/metadata-cache.ts'
import type { MetadataSnapshots } from './filter/metadata-snapshots.ts'
import type { Snapshots } from './index/snapshots.ts'
import { SpaceCache } from './index/space-cache.ts'
import { Learning } from './learning/learning.ts'
import { LearningCache } from './learning/learning-cache.ts'
import { TextCache } from './lexical/text-cache.ts'
import { hasText } from './lexical/text-store.ts'
import { PatternCache, type PatternCacheEvents } from './patterns/pattern-cache.ts'

/** A process's copies of spaces in memory. */
export interface Caches {
  /** Keys, for vector search. */
  spaces: SpaceCache
  /** Words and passages, for lexical and passage search. */
  texts: TextCache
  /** Text, metadata and value of patterns, for answers. */
  payloads: PatternCache
  /** Metadata indexes, for filters. */
  metadata: MetadataCache
  /** What spaces have learned, as read from the database. */
  learned: LearningCache
  /** What this process has observed and not yet written to the database. */
  learning: Learning
}

/** What `openCaches` needs. */
export interface CacheParts {
  queries: Queries
  clock: Clock
  log: Log
  /** Identifies this process's encoder; undefined for a process that never searches by text. */
  modelId?: string | undefined
  /** Spreads the writing of what was learned over time; without it, all is written at once. */
  lowPriority?: LowPriorityQueue
  /** Memory for the keys. Words and passages get half as much beside it, metadata a quarter. */
  indexBudgetBytes: number
  payloadBudgetBytes: number
  snapshots?: Snapshots | undefined
  payloadEvents?: PatternCacheEvents
  metadataEvents?: MetadataCacheEvents
  metadataSnapshots?: MetadataSnapshots | undefined
}

/** Makes the caches of a process, and connects them so that a change of a space removes what it makes stale from each. */
export function openCaches(parts: CacheParts): Caches {
  const { queries, clock, log, lowPriority, indexBudgetBytes } = parts
  const spaces = new SpaceCache({
    queries,
    clock,
    log,
    budgetBytes: indexBudgetBytes,
    modelId: parts.modelId,
    snapshots: parts.snapshots,
  })
  const texts = new TextCache({ queries, clock, budgetBytes: indexBudgetBytes / 2 })
  const payloads = new PatternCache({
    queries,
    budgetBytes: parts.payloadBudgetBytes,
    events: parts.payloadEvents,
  })
  const metadata = new MetadataCache({
    queries,
    budgetBytes: indexBudgetBytes / 4,
    events: parts.metadataEvents,
    snapshots: parts.metadataSnapshots,
    log,
  })
  // It lies in the heap, which has a limit of its own.
  const learned = new LearningCache(queries, getHeapStatistics().heap_size_limit / 4)
  const learning = new Learning({ queries, clock, lowPriority, learned })
  spaces.changes
    .on('committed', (spaceId, version, { stored = [], removed = [] }) => {
      const expiries = stored.filter(({ isText }) => isText)
      texts.committed(spaceId, { version, stored: stored.filter(hasText), expiries, removed })
    })
    .on('removed', (spaceId, indexes) => {
      learned.forget(spaceId, indexes)
      metadata.removed(spaceId, indexes)
    })
    .on('dropped', (spaceId) => {
      texts.drop(spaceId)
      metadata.drop(spaceId)
      learned.drop(spaceId)
      learning.forget(spaceId)
    })
    .on('loading', (spaceId) => learned.drop(spaceId))
    .on('patternChanged', (index, idx) => payloads.evict(index, idx))
    .on('released', (index) => payloads.release(index))
  return { spaces, texts, payloads, metadata, learned, learning }
}
