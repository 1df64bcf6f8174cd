import { parameters } from '@memory/engine/parameters'
import { seededRandom } from '@memory/engine/random'
import type { PatternUse } from '@memory/engine/salience'
import {
  portions,
  type Rehearsal,
  type ReplayCandidate,
  rehearse,
  replayPriority,
} from '@memory/engine/sleep/replay'
import { geometricSurprise } from '@memory/engine/surprise'
import { nextSlice } from '@memory/shared/platform/asker'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { saveUpdate } from '../learning/learning-store.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import type { Lease } from '../schedule/lease.ts'
import { nearestInShard, readRandomLevel, type Searching } from '../spaces/neighbours.ts'
import type { OpenSpace } from '../spaces/open-space.ts'
import { replayOrder, strongestAssociates } from './replay-order.ts'
import { listAlive, listReplayed, strengthen } from './sleep-store.ts'

const { shortlisted, neighbours, strengthRate, associationRate, freshMs } = parameters.sleep

/** How many nearest patterns are searched for one that was stored before. */
const nearestCount = 16

/** A pattern that may be replayed, with the idx of its nearest patterns. */
interface Seed extends ReplayCandidate {
  priority: number
  nearest: number[]
}

/**
 * Chooses the `batchSize` most urgent patterns among those used or stored within the last day and not replayed since.
 * @returns what replaying them strengthens; nothing is written
 */
export async function replay(
  context: Searching & Pick<MemoryContext, 'clock'>,
  space: OpenSpace,
  { index, learned }: { index: SpaceIndex; learned: SpaceLearning },
  batchSize: number,
): Promise<Rehearsal> {
  const now = context.clock.now().getTime()
  const since = now - freshMs
  const replayed = await listReplayed(context.queries, space.spaceId, new Date(since))
  const isDue = (idx: number, { count, storedAt, lastAt }: PatternUse) =>
    !replayed.has(idx) && (count > 0 ? lastAt : storedAt) >= since
  const candidates = await replayOrder(space, { index, learned }, shortlisted * batchSize, now, isDue)
  const seeds: Seed[] = []
  for (const [shard, ofShard] of Map.groupBy(candidates, ({ idx }) => index.shardOf(idx) as Shard)) {
    seeds.push(...(await lookAround(context, space, shard, ofShard, now)))
  }
  seeds.sort((one, other) => other.priority - one.priority || one.idx - other.idx)
  return rehearse(
    seeds.slice(0, batchSize).map(({ idx, nearest }) => {
      const associates = strongestAssociates(index, learned, idx, neighbours, now)
      return { idx, neighbours: [...nearest, ...associates.map((associate) => associate.idx)] }
    }),
  )
}

/** Finds for each candidate how surprising it was when stored, and the patterns nearer to it than random ones (above `level`). */
async function lookAround(
  context: Searching,
  space: OpenSpace,
  shard: Shard,
  candidates: readonly ReplayCandidate[],
  now: number,
): Promise<Seed[]> {
  const { queries } = context
  const random = seededRandom(`${space.spaceId}/sleep/${shard.dimensions}`)
  const level = await readRandomLevel(context, space.spaceId, shard, random)
  const labels = Int32Array.from(candidates, ({ idx }) => idx)
  const keys = await findShardKeys(queries, space.spaceId, shard, labels)
  const present = candidates.filter(({ idx }) => keys.has(idx))
  const vectors = present.map(({ idx }) => keys.get(idx) as Float32Array)
  const hits = await nearestInShard(context, space, shard, vectors, nearestCount)
  return present.map((candidate, i) => {
    const { labels, scores } = hits[i] ?? { labels: new Int32Array(), scores: new Float64Array() }
    const before = labels.findIndex((label) => label < candidate.idx)
    // If all of the nearest came later, the nearest earlier pattern is somewhat further away than the last of them.
    const nearestBefore =
      before === -1 ? (labels.length >= nearestCount ? scores.at(-1) : undefined) : scores[before]
    const nearest = [...labels].filter(
      (label, at) => label !== candidate.idx && (scores[at] as number) > level,
    )
    return {
      ...candidate,
      priority: replayPriority(candidate, geometricSurprise(nearestBefore), now),
      nearest: nearest.slice(0, neighbours),
    }
  })
}

/** Pairs written in one transaction: one takes the embedded database up to 0.2 ms, during which other queries wait. */
const pairsAtOnce = 50

/** Strengthens what was replayed, in several transactions. @param onStronger called after each, with how many patterns */
export async function strengthenReplayed(
  context: Pick<MemoryContext, 'learning'>,
  { spaceId, signal }: OpenSpace,
  lease: Pick<Lease, 'renew'>,
  rehearsal: Rehearsal,
  onStronger: (count: number) => void,
): Promise<void> {
  for (const part of portions(rehearsal, pairsAtOnce)) {
    await nextSlice(signal)
    onStronger(await strengthenPart(context, spaceId, lease, part))
  }
}

function strengthenPart(
  { learning }: Pick<MemoryContext, 'learning'>,
  spaceId: string,
  { renew }: Pick<Lease, 'renew'>,
  { patterns, pairs }: Rehearsal,
): Promise<number> {
  return learning.revise(spaceId, async (trx, engineVersion, now) => {
    await renew(trx)
    const ends = pairs.flatMap(({ a, b }) => [a, b])
    const alive = await listAlive(trx, spaceId, [...new Set([...patterns, ...ends])])
    const present = patterns.filter((idx) => alive.has(idx))
    await strengthen(trx, spaceId, engineVersion, now, present, strengthRate)
    await saveUpdate(trx, spaceId, engineVersion, now, {
      associations: pairs
        .filter(({ a, b }) => alive.has(a) && alive.has(b))
        .map((pair) => ({ ...pair, kept: 1 - associationRate })),
      transitions: [],
      strengths: [],
      traces: new Map(),
    })
    return present.length
  })
}
