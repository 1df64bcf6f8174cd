import { unknownValidity, type Validity } from '@memory/engine/exploration/gain'
import {
  choosePairs,
  type Pair,
  type PairSources,
  pairName,
  pairOf,
  type RatedPair,
} from '@memory/engine/exploration/pairs'
import { parameters } from '@memory/engine/parameters'
import { type Random, seededRandom } from '@memory/engine/random'
import type { MemoryContext } from '../context.ts'
import { inOrder } from '../index/in-order.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import { replayOrder, strongestAssociates } from '../sleep/replay-order.ts'
import { nearestInShard, type Searching } from '../spaces/neighbours.ts'
import type { OpenSpace } from '../spaces/open-space.ts'
import { findTrials } from './trial-store.ts'

const { seeds, nearOfSeed, edges, randomPairs } = parameters.exploration

/** A pair, with what its earlier trials say about its validity. */
export type CandidatePair = RatedPair & { validity: Validity }

/** What pairs are chosen from. The same input gives the same pairs. */
export interface Exploring {
  index: SpaceIndex
  learned: SpaceLearning
  /** How many explorations the space has had. */
  explored: number
}

/** Random numbers that are the same for the same space, number of explorations and purpose. */
export const explorationRandom = (spaceId: string, explored: number, purpose: string): Random =>
  seededRandom(`${spaceId}/${explored}/${purpose}`)

/** Up to `count` pairs with the highest expected information gain of a trial. Both patterns of a pair are in one shard. */
export async function candidatePairs(
  context: Searching & Pick<MemoryContext, 'clock'>,
  space: OpenSpace,
  { index, learned, explored }: Exploring,
  count: number,
): Promise<CandidatePair[]> {
  const now = context.clock.now().getTime()
  const urgent = await replayOrder(space, { index, learned }, seeds, now)
  const first = urgent.map(({ idx }) => idx)
  const sources: PairSources = {
    associated: associatedPairs(index, learned, first, now),
    near: await nearPairs(context, space, index, first),
    random: drawPairs(index, explorationRandom(space.spaceId, explored, 'pairs')),
  }
  const all = [...sources.associated, ...sources.near, ...sources.random]
  const records = await findTrials(context.queries, space.spaceId, distinct(all))
  const known = new Map(records.map((one) => [pairName(one), { a: 1 + one.valid, b: 1 + one.invalid }]))
  const validityOf = (pair: Pair) => known.get(pairName(pair)) ?? unknownValidity
  return choosePairs(sources, validityOf, count).map((pair) => ({ ...pair, validity: validityOf(pair) }))
}

const distinct = (pairs: readonly Pair[]): Pair[] => [
  ...new Map(pairs.map((pair) => [pairName(pair), pair])).values(),
]

/** The strongest associations of the seeds `first`, as pairs. */
function associatedPairs(
  index: SpaceIndex,
  learned: SpaceLearning,
  first: readonly number[],
  now: number,
): Pair[] {
  const links = first.flatMap((idx) =>
    strongestAssociates(index, learned, idx, edges, now).map((link) => ({
      ...pairOf(idx, link.idx),
      weight: link.weight,
    })),
  )
  links.sort((one, other) => other.weight - one.weight || one.a - other.a || one.b - other.b)
  return distinct(links).slice(0, edges)
}

/** Each seed of `first`, paired with its nearest patterns. */
async function nearPairs(
  context: Searching,
  space: OpenSpace,
  index: SpaceIndex,
  first: readonly number[],
): Promise<Pair[]> {
  const byShard = Map.groupBy(first, (idx) => index.shardOf(idx) as Shard)
  const pairs: Pair[] = []
  for (const [shard, indexes] of byShard) {
    const keys = await findShardKeys(context.queries, space.spaceId, shard, Int32Array.from(indexes))
    const present = indexes.filter((idx) => keys.has(idx))
    const vectors = present.map((idx) => keys.get(idx) as Float32Array)
    const hits = await nearestInShard(context, space, shard, vectors, nearOfSeed + 1)
    for (const [i, { labels }] of hits.entries()) {
      const idx = present[i] as number
      pairs.push(...[...labels].filter((label) => label !== idx).map((label) => pairOf(idx, label)))
    }
  }
  return distinct(pairs)
}

/** Random pairs within a shard. Shards are drawn in proportion to their patterns. */
function drawPairs(index: SpaceIndex, random: Random): Pair[] {
  const pools = index.shards.map((shard) => inOrder(shard.labels()))
  const total = pools.reduce((sum, labels) => sum + labels.length, 0)
  const pairs: Pair[] = []
  for (let i = 0; total > 0 && i < 20 * randomPairs; i++) {
    let at = Math.floor(random() * total)
    const labels = pools.find((pool) => {
      if (at < pool.length) return true
      at -= pool.length
      return false
    }) as Int32Array
    const other = Math.floor(random() * labels.length)
    if (other !== at) pairs.push(pairOf(labels[at] as number, labels[other] as number))
  }
  return pairs
}
