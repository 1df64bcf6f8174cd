import { norm } from '@memory/engine/kernels/javascript'
import { parameters } from '@memory/engine/parameters'
import type { Directions } from '@memory/engine/recall/query-centre'
import { sequenceCoherence } from '@memory/engine/recall/sequence-coherence'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'

const { centreSample, momentSample, centreShrink } = parameters.recall

/** What recall knows of a shard's keys on the whole, from a sample of them. */
export interface SpaceShape {
  /** Of the sampled keys at length 1. */
  directions: Directions
  /** Patterns that stand for all, evenly spread over store order. */
  sample: readonly number[]
  /** Keys of the sample that are not in memory as float32, once they were read. */
  readKeys: Map<number, Float32Array>
  /** How far store order says what belongs together, in [0, 1]. */
  sequenceCoherence: number
}

interface Known {
  /** Of the shard when this was measured. */
  size: number
  shape: Promise<SpaceShape>
}

const known = new WeakMap<Shard, Known>()

/** Measured anew when a shard has changed by this share: until then it moves by less than its sampling error. */
const staleShare = 0.05

/** The shape of a shard's keys; kept until the shard has changed much. */
export function shapeOf(
  context: Pick<MemoryContext, 'queries'>,
  caller: Pick<Caller, 'spaceId'>,
  index: SpaceIndex,
  shard: Shard,
): Promise<SpaceShape> {
  const before = known.get(shard)
  if (before !== undefined && Math.abs(shard.size - before.size) <= staleShare * before.size) {
    return before.shape
  }
  const shape = measure(context, caller, index, shard)
  known.set(shard, { size: shard.size, shape })
  shape.catch(() => known.delete(shard))
  return shape
}

async function measure(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Pick<Caller, 'spaceId'>,
  index: SpaceIndex,
  shard: Shard,
): Promise<SpaceShape> {
  const spread = index.spread(shard, centreSample)
  const sample = evenly(spread, momentSample)
  const successors = sample.map((idx) => index.nextAfter(idx))
  const wanted = new Set([
    ...spread,
    ...successors.filter((idx) => idx !== undefined && index.isIn(shard, idx)),
  ])
  const keys = await findShardKeys(queries, spaceId, shard, Int32Array.from(wanted as Set<number>))
  const sum = new Float64Array(shard.dimensions)
  let count = 0
  for (const idx of spread) {
    const key = keys.get(idx)
    if (key === undefined) continue
    const scale = 1 / norm(key)
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + scale * (key[i] as number)
    count++
  }
  const centre = Float32Array.from(sum, (value) => value / (count + centreShrink))
  const pairs = sample.flatMap((idx, i): [Float32Array, Float32Array][] => {
    const [key, next] = [keys.get(idx), keys.get(successors[i] as number)]
    return key === undefined || next === undefined ? [] : [[unit(key), unit(next)]]
  })
  return {
    directions: { sum, count },
    sample,
    readKeys: new Map(),
    sequenceCoherence: sequenceCoherence(pairs, centre),
  }
}

function evenly(all: readonly number[], count: number): number[] {
  const step = Math.max(1, all.length / count)
  return Array.from({ length: Math.min(all.length, count) }, (_, i) => all[Math.floor(i * step)] as number)
}

function unit(key: Float32Array): Float32Array {
  const scale = 1 / norm(key)
  return key.map((value) => value * scale)
}
