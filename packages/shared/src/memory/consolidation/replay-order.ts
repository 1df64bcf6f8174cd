import { faded } from '../../engine/learning/association.ts'
import { parameters } from '../../engine/parameters.ts'
import { type ReplayCandidate, shortlist } from '../../engine/sleep/replay.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'

/**
 * The patterns that are most urgent to replay, as far as that is known without their surprise at storing: of those that
 * were used, and of the latest stored, up to `count`.
 * @param now ms since 1970
 */
export function replayOrder(
  index: SpaceIndex,
  learned: SpaceLearning,
  count: number,
  now: number,
): ReplayCandidate[] {
  const { latestStored } = parameters.sleep
  const latest = Array.from({ length: Math.min(latestStored, index.end) }, (_, i) => index.end - 1 - i)
  const candidates = new Map<number, ReplayCandidate>()
  const add = (idx: number) => {
    if (candidates.has(idx) || index.shardOf(idx) === undefined) return
    const { storedAt, count: answers, lastAt } = learned.useOf(idx)
    candidates.set(idx, { idx, usedAt: answers > 0 ? lastAt : storedAt, degree: degreeOf(learned, idx, now) })
  }
  for (const { idx } of learned.uses()) add(idx)
  for (const idx of latest) add(idx)
  return shortlist(candidates.values(), count, now)
}

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
