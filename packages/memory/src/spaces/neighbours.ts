import { randomLevel } from '@memory/engine/exploration/trial'
import { type Hits, kernels } from '@memory/engine/kernels/kernels'
import { parameters } from '@memory/engine/parameters'
import { type Random, sample } from '@memory/engine/random'
import type { Compute } from '../compute.ts'
import type { MemoryContext } from '../context.ts'
import { inOrder } from '../index/in-order.ts'
import type { Shard } from '../index/shard.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import { rescore, rescoreBy } from '../vectors/rescore.ts'
import type { OpenSpace } from './open-space.ts'
import type { ShardKeyReader } from './shard-key-reader.ts'

/** What the searches in this file need of the context. */
export interface Searching extends Pick<MemoryContext, 'queries'> {
  compute: Pick<Compute, 'searchMany'>
}

/** Query vectors searched in one pass over a shard. */
const blockQueries = 64

/** Restricts which patterns near a vector are found. */
interface Near {
  /** Bit set of patterns, see `bitsOf`; undefined: all. */
  allowed?: Uint8Array | undefined
  textOnly?: boolean
  /** Least cosine. */
  minScore?: number
  /** Reads, and remembers, keys that are not in memory; without it they come from the database each time. */
  keys?: ShardKeyReader
}

/**
 * For each vector the `k` nearest patterns of a shard, best first, scored by the exact cosine of the stored key.
 * @param vectors of the shard's dimension, none all zero
 */
export async function nearestInShard(
  { compute, queries }: Searching,
  space: OpenSpace,
  shard: Shard,
  vectors: readonly Float32Array[],
  k: number,
  { allowed, textOnly = false, minScore = -1, keys }: Near = {},
): Promise<Hits[]> {
  const hits: Hits[] = []
  const search = { k, minScore, textOnly, allowed }
  for (let first = 0; first < vectors.length; first += blockQueries) {
    const block = vectors.slice(first, first + blockQueries)
    const found = await compute.searchMany(space, shard, block, search)
    hits.push(
      ...(keys === undefined
        ? await rescore(queries, space.spaceId, shard, block, found, search)
        : await rescoreBy((indexes) => keys.read(indexes), block, found, search)),
    )
  }
  return hits
}

/**
 * For each vector about the `k` nearest patterns of a shard, in no certain order and without reading a key. Where the shard
 * holds codes instead of keys, scores are estimates: there may be more than `k`, and near the limit some may be others of
 * nearly the same cosine.
 */
export async function candidatesInShard(
  { compute }: Searching,
  space: OpenSpace,
  shard: Shard,
  vectors: readonly Float32Array[],
  k: number,
): Promise<Int32Array[]> {
  const candidates: Int32Array[] = []
  const search = { k, minScore: -1, textOnly: false }
  for (let first = 0; first < vectors.length; first += blockQueries) {
    const block = vectors.slice(first, first + blockQueries)
    for (const { labels } of await compute.searchMany(space, shard, block, search)) candidates.push(labels)
  }
  return candidates
}

/** Keys as one matrix, as a Hopfield iteration reads them. */
export interface KeyRows {
  /** The idx of each row. */
  labels: number[]
  /** Row after row. */
  values: Float32Array
  /** 1 / length of each row. */
  inverseNorms: Float64Array
}

/** The float32 keys of these patterns of a shard, in the order of `labels`; patterns that are gone are left out. */
export async function readKeyRows(
  shard: Shard,
  labels: Int32Array,
  reader: ShardKeyReader,
): Promise<KeyRows> {
  const { dimensions } = shard
  const resident = shard.keys(labels)
  // The usual case: all are in memory, already in the right layout.
  if (resident.held.every((held) => held === 1)) return toRows([...labels], resident.values, dimensions)
  const keys = await reader.read([...labels])
  const present = [...labels].filter((idx) => keys.has(idx))
  const values = new Float32Array(present.length * dimensions)
  for (const [row, idx] of present.entries()) values.set(keys.get(idx) as Float32Array, row * dimensions)
  return toRows(present, values, dimensions)
}

function toRows(labels: number[], values: Float32Array, dimensions: number): KeyRows {
  const inverseNorms = kernels.norms(values, dimensions).map((length) => 1 / length)
  return { labels, values, inverseNorms }
}

/** Mean cosine of random pairs of keys of a shard, estimated from a sample: how similar keys are that have nothing to do. */
export async function readRandomLevel(
  { queries }: Pick<MemoryContext, 'queries'>,
  spaceId: string,
  shard: Shard,
  random: Random,
): Promise<number> {
  const { levelSample, levelPairs } = parameters.exploration
  const labels = Int32Array.from(sample(inOrder(shard.labels()), levelSample, random))
  const keys = await findShardKeys(queries, spaceId, shard, labels)
  return randomLevel([...keys.values()], levelPairs, random)
}
