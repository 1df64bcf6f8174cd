import type { Caller } from '../../catalogue/operation.ts'
import { inverseTemperature } from '../../engine/energy.ts'
import type { Pair } from '../../engine/exploration/pairs.ts'
import {
  beginTrial,
  coherenceOf,
  isValidTrial,
  randomHalf,
  settleFrom,
} from '../../engine/exploration/trial.ts'
import { norm } from '../../engine/kernels/javascript.ts'
import { kernels } from '../../engine/kernels/kernels.ts'
import { parameters } from '../../engine/parameters.ts'
import type { Random } from '../../engine/random.ts'
import type { Shard } from '../index/shard.ts'
import { findShardKeys } from '../key-lookup.ts'
import { nearestInShard, readKeyRows, type Searching } from './neighbours.ts'

/** Where a trial takes place. */
export interface TrialGround {
  shard: Shard
  /** Patterns of the shard, in order. */
  labels: Int32Array
  /** Mean cosine of random pairs. */
  level: number
}

/** What a trial found. */
export interface Trial {
  isValid: boolean
  coherence: number
  /** Half way between both keys. */
  middle: Float32Array
}

/** One trial of a pair in a random half of its shard. @returns undefined where one of both is gone */
export async function tryPair(
  context: Searching,
  caller: Caller,
  { shard, labels, level }: TrialGround,
  { a, b }: Pair,
  random: Random,
): Promise<Trial | undefined> {
  const { spaceId } = caller
  const own = await findShardKeys(context.queries, spaceId, shard, Int32Array.of(a, b))
  const [keyA, keyB] = [own.get(a), own.get(b)]
  if (keyA === undefined || keyB === undefined) return undefined
  const half = randomHalf(labels, [a, b], random)
  const { between, unbound } = beginTrial(keyA, keyB, random)
  // Keys that undo each other leave nothing to look for.
  const vectors = norm(unbound) > 0 ? [between, unbound] : [between]
  const { candidates } = parameters.energy
  const hits = await nearestInShard(context, caller, shard, vectors, candidates, shard.allow(half))
  const around = hits[0]?.labels ?? new Int32Array()
  const rows = await readKeyRows(context, spaceId, shard, around)
  const beta = inverseTemperature(half.length)
  const keyOf = (row: number) => rows.values.subarray(row * shard.dimensions, (row + 1) * shard.dimensions)
  const nearest = rows.labels.slice(0, parameters.exploration.neighbours)
  return {
    isValid: isValidTrial({
      a,
      b,
      neighbours: nearest,
      settled: {
        labels: rows.labels,
        cosines: settleFrom(rows.values, rows.inverseNorms, between, beta),
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
    middle: kernels.slerp(keyA, keyB, 0.5).vector,
  }
}
