import { inverseTemperature } from '@memory/engine/energy'
import type { Pair } from '@memory/engine/exploration/pairs'
import {
  beginTrial,
  coherenceOf,
  drawHalf,
  isValidTrial,
  pointBetween,
  relaxFrom,
} from '@memory/engine/exploration/trial'
import { norm } from '@memory/engine/kernels/javascript'
import { kernels } from '@memory/engine/kernels/kernels'
import { parameters } from '@memory/engine/parameters'
import type { Random } from '@memory/engine/random'
import { emptyBits, hasBit } from '../index/bits.ts'
import type { Shard } from '../index/shard.ts'
import { nearestInShard, readKeyRows, type Searching } from '../spaces/neighbours.ts'
import type { OpenSpace } from '../spaces/open-space.ts'
import type { ShardKeyReader } from '../spaces/shard-key-reader.ts'

/** A shard prepared for trials. */
export interface TrialGround {
  shard: Shard
  /** The idx of the shard's patterns, ascending. */
  labels: Int32Array
  /** Mean cosine of random pairs of keys. */
  level: number
  keys: ShardKeyReader
}

/** The outcome of a trial. */
export interface Trial {
  isValid: boolean
  coherence: number
  /** The composition's key: half way between the directions of both keys. */
  middle: Float32Array
}

/** Tries a pair in a random half of its shard; see `isValidTrial` for what makes it valid. @returns undefined if a key is gone */
export async function tryPair(
  context: Searching,
  space: OpenSpace,
  { shard, labels, level, keys }: TrialGround,
  { a, b }: Pair,
  random: Random,
): Promise<Trial | undefined> {
  const own = await keys.read([a, b])
  const [keyA, keyB] = [own.get(a), own.get(b)]
  if (keyA === undefined || keyB === undefined) return undefined
  const half = emptyBits(Math.max(a, b, labels.at(-1) ?? 0) + 1)
  drawHalf(half, [a, b], random)
  const { between, unbound } = beginTrial(keyA, keyB, random)
  // Unbinding can give a zero vector, which can't be searched with.
  const vectors = norm(unbound) > 0 ? [between, unbound] : [between]
  const { candidates } = parameters.energy
  const hits = await nearestInShard(context, space, shard, vectors, candidates, {
    allowed: half,
    keys,
  })
  const around = hits[0]?.labels ?? new Int32Array()
  const rows = await readKeyRows(shard, around, keys)
  const beta = inverseTemperature(labels.reduce((count, idx) => count + Number(hasBit(half, idx)), 0))
  const keyOf = (row: number) => rows.values.subarray(row * shard.dimensions, (row + 1) * shard.dimensions)
  const nearest = rows.labels.slice(0, parameters.exploration.neighbours)
  return {
    isValid: isValidTrial({
      a,
      b,
      neighbours: nearest,
      relaxed: {
        labels: rows.labels,
        cosines: relaxFrom(rows.values, rows.inverseNorms, between, beta),
      },
      recovered: hits[1] ?? { labels: new Int32Array(), scores: new Float64Array() },
    }),
    coherence: coherenceOf(
      kernels.cosine(keyA, keyB),
      level,
      nearest.map((_, row) => ({
        toA: kernels.cosine(keyOf(row), keyA),
        toB: kernels.cosine(keyOf(row), keyB),
      })),
    ),
    middle: pointBetween(keyA, keyB, 0.5),
  }
}
