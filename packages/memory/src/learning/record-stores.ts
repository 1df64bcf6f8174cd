import type { Observation } from '@memory/engine/learning/learning-update'
import { geometricSurprise } from '@memory/engine/surprise'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'

type Recording = Pick<MemoryContext, 'compute' | 'learning' | 'spaces' | 'clock'>
type Storing = Pick<Caller, 'organizationId' | 'spaceId'>

/** Patterns that were stored at once. */
export interface StoredPatterns {
  patterns: readonly { idx: number; key: Float32Array }[]
  /** Of the space, with them. */
  patternsUsed: number
  version: number
}

/** Of a batch so many patterns are looked at, evenly spread: they stand for the rest. */
const observedAtOnce = 8
/** Nearest patterns among which what was there before is looked for: later ones of the same batch may be nearer. */
const nearestCount = 16
/** A larger space is not read into memory for this: it is observed once a search has brought it there. */
const loadedMax = 5_000

/** Records how new patterns are that were just stored, compared with those stored before each; after the answer. */
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
  // Keys projected down from another length are in a shard of their own, and like none of the others.
  const shard = index.shardOf(idx)
  // What was forgotten or given another key meanwhile says nothing.
  if (shard?.dimensions !== key.length) return undefined
  const search = { k: nearestCount, minScore: -1, textOnly: false }
  const { labels, scores } = await compute.search({ organizationId }, shard, key, search)
  const before = labels.findIndex((label) => label < idx)
  // All of so many are of the same batch: what was there before it is not known.
  if (before === -1 && labels.length >= nearestCount) return undefined
  return { kind: 'store', at, surprise: geometricSurprise(before === -1 ? undefined : scores[before]) }
}
