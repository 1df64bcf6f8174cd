import { faded } from '@memory/engine/learning/association'
import { parameters } from '@memory/engine/parameters'
import type { PatternUse } from '@memory/engine/salience'
import { type ReplayCandidate, shortlist } from '@memory/engine/sleep/replay'
import { nextSlice } from '@memory/shared/platform/asker'
import type { Requester } from '../compute.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'

/** Candidates looked at before the event loop gets a turn. */
const sliceSize = 5_000

/**
 * A shortlist of up to `count` patterns to replay, among those that were used and the latest stored. It goes by recency and
 * associations alone; how surprising a pattern was when stored is not known here, since that takes a search.
 * @param now ms since 1970
 * @param isDue whether a pattern may be on the list
 */
export async function replayOrder(
  { signal }: Requester,
  { index, learned }: { index: SpaceIndex; learned: SpaceLearning },
  count: number,
  now: number,
  isDue: (idx: number, use: PatternUse) => boolean = () => true,
): Promise<ReplayCandidate[]> {
  const latestFrom = Math.max(0, index.end - parameters.sleep.latestStored)
  let best: ReplayCandidate[] = []
  let slice: ReplayCandidate[] = []
  for (const idx of replayable(learned, latestFrom, index.end)) {
    const use = learned.useOf(idx)
    if (!index.isStored(idx) || !isDue(idx, use)) continue
    const { storedAt, count: answers, lastAt } = use
    slice.push({ idx, usedAt: answers > 0 ? lastAt : storedAt, degree: degreeOf(learned, idx, now) })
    if (slice.length < sliceSize) continue
    best = shortlist([...best, ...slice], count, now)
    slice = []
    await nextSlice(signal)
  }
  return shortlist([...best, ...slice], count, now)
}

/** Patterns that were used, and all with an idx in [latestFrom, end); each once. */
function* replayable(learned: SpaceLearning, latestFrom: number, end: number): Generator<number> {
  for (const { idx } of learned.uses()) if (idx < latestFrom) yield idx
  for (let idx = latestFrom; idx < end; idx++) yield idx
}

/** Sum of the weights of a pattern's associations, as faded by now. */
function degreeOf(learned: SpaceLearning, idx: number, now: number): number {
  let degree = 0
  for (const { weight, at } of learned.associatesOf(idx).values()) degree += faded(weight, at, now)
  return degree
}

/** The strongest associates of a pattern that are in its shard, strongest first. */
export function strongestAssociates(
  index: SpaceIndex,
  learned: SpaceLearning,
  idx: number,
  count: number,
  now: number,
): { idx: number; weight: number }[] {
  const shard = index.shardOf(idx)
  return [...learned.associatesOf(idx)]
    .filter(([other]) => shard !== undefined && index.isIn(shard, other))
    .map(([other, { weight, at }]) => ({ idx: other, weight: faded(weight, at, now) }))
    .sort((one, other) => other.weight - one.weight || one.idx - other.idx)
    .slice(0, count)
}
