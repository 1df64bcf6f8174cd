import { type Iteration, inverseTemperature } from '@memory/engine/energy'
import type { Pair } from '@memory/engine/exploration/pairs'
import { disturbedMiddle, isMixture, iterationFrom, nearPairs } from '@memory/engine/exploration/spurious'
import type { Hits } from '@memory/engine/kernels/kernels'
import { parameters } from '@memory/engine/parameters'
import { seededRandom } from '@memory/engine/random'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Caller, Output } from '@memory/shared/catalogue/operation'
import { nextSlice } from '@memory/shared/platform/asker'
import type { Compute } from '../compute.ts'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import { candidatesInShard, nearestInShard, readKeyRows, type Searching } from '../spaces/neighbours.ts'
import { ShardKeyReader } from '../spaces/shard-key-reader.ts'
import type { DetectSpurious } from './schema.ts'

const { seeds, nearOfSeed, checkMs } = parameters.spurious

/** Pairs, or patterns, handled at once. */
const blockSize = 64
/** Pairs sent to threads at once: the keys around one take 200 KB. */
const relaxedAtOnce = 16

/** What the search for spurious attractors needs of the context. */
type Detection = Searching &
  Pick<MemoryContext, 'spaces'> & { compute: Pick<Compute, 'searchMany' | 'relax'> }

/** Ids of spaces that this process is searching. */
const underWay = new Set<string>()

/**
 * The detect-spurious operation: looks for pairs of near neighbours where a Hopfield iteration from their middle ends in a
 * mixture of patterns instead of one of them. Each process runs one in a space at a time.
 * @throws ApiError consolidation_running, abandoned
 */
export async function detectSpurious(
  context: Detection,
  caller: Caller,
): Promise<Output<typeof DetectSpurious>> {
  const { spaceId } = caller
  if (underWay.has(spaceId)) throw new ApiError('consolidation_running')
  underWay.add(spaceId)
  try {
    return await lookThrough(context, caller)
  } finally {
    underWay.delete(spaceId)
  }
}

async function lookThrough(context: Detection, caller: Caller): Promise<Output<typeof DetectSpurious>> {
  const index = await context.spaces.get(caller.spaceId, caller.spaceVersion)
  const searches: { idx: number; found: Hits }[] = []
  const shardOf = new Map<number, Shard>()
  for (const shard of index.shards) {
    for (const search of await searchNeighbours(context, caller, shard, index.spread(shard, seeds))) {
      searches.push(search)
      shardOf.set(search.idx, shard)
      for (const label of search.found.labels) shardOf.set(label, shard)
    }
  }
  const pairs = nearPairs(searches)
  const spurious: Pair[] = []
  let checked = 0
  const deadline = performance.now() + checkMs
  for (const [shard, ofShard] of Map.groupBy(pairs, ({ a }) => shardOf.get(a) as Shard)) {
    const keys = new ShardKeyReader(context.queries, caller.spaceId, shard)
    for (let first = 0; first < ofShard.length; first += blockSize) {
      // At least one block is checked, even past the deadline.
      if (checked > 0 && performance.now() > deadline) break
      const block = ofShard.slice(first, first + blockSize)
      const judged = await judgePairs(context, caller, shard, keys, block)
      checked += judged.length
      spurious.push(...judged.filter(({ isSpurious }) => isSpurious))
    }
  }
  return {
    spurious_pairs: spurious.map(({ a, b }) => [a, b]),
    total_checked: checked,
    spurious_rate: checked === 0 ? 0 : spurious.length / checked,
  }
}

/** The nearest patterns to each of some patterns of a shard. */
async function searchNeighbours(
  context: Searching,
  caller: Caller,
  shard: Shard,
  indexes: readonly number[],
): Promise<{ idx: number; found: Hits }[]> {
  const searches: { idx: number; found: Hits }[] = []
  for (let first = 0; first < indexes.length; first += blockSize) {
    const block = Int32Array.from(indexes.slice(first, first + blockSize))
    const keys = [...(await findShardKeys(context.queries, caller.spaceId, shard, block))]
    const vectors = keys.map(([, key]) => key)
    const hits = await nearestInShard(context, caller, shard, vectors, nearOfSeed + 1)
    for (const [i, found] of hits.entries()) searches.push({ idx: keys[i]?.[0] as number, found })
  }
  return searches
}

/** Runs the iteration from the middle of each pair. Pairs of which a pattern was removed are left out. */
async function judgePairs(
  context: Detection,
  caller: Caller,
  shard: Shard,
  reader: ShardKeyReader,
  pairs: readonly Pair[],
): Promise<(Pair & { isSpurious: boolean })[]> {
  const keys = await reader.read([...new Set(pairs.flatMap(({ a, b }) => [a, b]))])
  const middles = pairs.flatMap(({ a, b }) => {
    const [keyA, keyB] = [keys.get(a), keys.get(b)]
    if (keyA === undefined || keyB === undefined) return []
    const middle = disturbedMiddle(keyA, keyB, seededRandom(`${caller.spaceId}/${a}/${b}`))
    return middle === undefined ? [] : [{ a, b, middle }]
  })
  const vectors = middles.map(({ middle }) => middle)
  const candidates = await candidatesInShard(context, caller, shard, vectors, parameters.spurious.candidates)
  const beta = inverseTemperature(shard.size)
  const judged: (Pair & { isSpurious: boolean })[] = []
  for (let first = 0; first < middles.length; first += relaxedAtOnce) {
    const part = middles.slice(first, first + relaxedAtOnce)
    const iterations: Iteration[] = []
    for (const [i, { middle }] of part.entries()) {
      const around = candidates[first + i] ?? new Int32Array()
      const { values, inverseNorms } = await readKeyRows(shard, around, reader)
      iterations.push(iterationFrom(values, inverseNorms, middle, beta))
      await nextSlice(caller.signal)
    }
    // If everything near a middle has been removed by now, there is nothing to iterate over.
    const ends = await context.compute.relax(
      caller,
      iterations.filter(({ inverseNorms }) => inverseNorms.length > 0),
    )
    const next = ends.values()
    for (const [i, { a, b }] of part.entries()) {
      const end = iterations[i]?.inverseNorms.length === 0 ? undefined : next.next().value
      judged.push({ a, b, isSpurious: end !== undefined && isMixture(end) })
    }
  }
  return judged
}
