import type { Observation } from '@memory/engine/learning/learning-update'
import { geometricSurprise } from '@memory/engine/surprise'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'

type Recording = Pick<MemoryContext, 'compute' | 'learning' | 'spaces' | 'clock'>
type Storing = Pick<Caller, 'organizationId' | 'spaceId'>

/** Patterns that were stored in one commit. */
export interface StoredPatterns {
  patterns: readonly { idx: number; key: Float32Array }[]
  /** Patterns in the space afterwards. */
  patternsUsed: number
  /** The space's version afterwards. */
  version: number
}

/** How many patterns of a batch are observed, evenly spread; they stand for the rest. */
const observedAtOnce = 8
/** How many nearest patterns are searched for one that was stored before: later ones of the same batch may be nearer. */
const nearestCount = 16
/** A larger space is observed only if it is in memory already: reading it just for this would cost too much. */
const loadedMax = 5_000

/** Records how surprising just stored patterns are: how unlike those stored before them. Runs after the request's answer. */
export function recordStores(
  context: Recording,
  caller: Storing,
  { patterns, patternsUsed, version }: StoredPatterns,
): void {
  const { spaces, learning, clock } = context
  const { spaceId } = caller
  if (patternsUsed > loadedMax && spaces.peek(spaceId) === undefined) return
  const at = clock.now().getTime()
  const index = spaces.get(spaceId, version)
  const step = Math.max(1, patterns.length / observedAtOnce)
  for (let i = 0; Math.floor(i) < patterns.length; i += step) {
    const pattern = patterns[Math.floor(i)] as { idx: number; key: Float32Array }
    const observed = index.then((index) => observe(context, caller, index, pattern, at))
    learning.recordWhenKnown(spaceId, observed)
  }
}

async function observe(
  { compute }: Pick<MemoryContext, 'compute'>,
  { organizationId }: Storing,
  index: SpaceIndex,
  { idx, key }: { idx: number; key: Float32Array },
  at: number,
): Promise<Observation | undefined> {
  // A shard of projected keys holds only keys projected from the same length, so like is compared with like.
  const shard = index.shardOf(idx)
  // The pattern may have been forgotten meanwhile, or have got a key of another length.
  if (shard?.dimensions !== key.length) return undefined
  const search = { k: nearestCount, minScore: -1, textOnly: false }
  const { labels, scores } = await compute.search({ organizationId }, shard, key, search)
  const before = labels.findIndex((label) => label < idx)
  // All of the nearest came later, so how near the nearest earlier pattern is remains unknown.
  if (before === -1 && labels.length >= nearestCount) return undefined
  return { kind: 'store', at, surprise: geometricSurprise(before === -1 ? undefined : scores[before]) }
}
