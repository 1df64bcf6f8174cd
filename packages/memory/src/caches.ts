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

/** What a process holds of spaces in memory. */
export interface Caches {
  spaces: SpaceCache
  texts: TextCache
  payloads: PatternCache
  /** What filters look at. */
  metadata: MetadataCache
  /** What spaces have learned, for those who answer. */
  learned: LearningCache
  /** What uses teach, on its way to the database. */
  learning: Learning
}

/** What the caches of a process are made of. */
export interface CacheParts {
  queries: Queries
  clock: Clock
  log: Log
  /** The encoder whose embeddings are looked for; without it, spaces are not searched by texts. */
  modelId?: string | undefined
  /** Of what is learned; without it nothing rests between two writes. */
  lowPriority?: LowPriorityQueue
  /** Memory for indexes, of keys and, half as much, of words and passages, a quarter of metadata. */
  indexBudgetBytes: number
  payloadBudgetBytes: number
  snapshots?: Snapshots | undefined
  payloadEvents?: PatternCacheEvents
  metadataEvents?: MetadataCacheEvents
  metadataSnapshots?: MetadataSnapshots | undefined
}

/** Opens the caches of a process, each of which lets go of what a change of a space makes stale. */
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
  const learned = new LearningCache(queries)
  const learning = new Learning({ queries, clock, lowPriority, learned })
  spaces.changes
    .on('committed', (spaceId, version, { stored = [], removed = [] }) => {
      learned.forget(spaceId, removed)
      metadata.removed(spaceId, removed)
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
