import { norm } from '@memory/engine/kernels/javascript'
import { parameters } from '@memory/engine/parameters'
import type { StoreOrder } from '@memory/engine/recall/contiguity'
import type { Directions } from '@memory/engine/recall/query-centre'
import { type Run, sequenceCoherence, turnTaking } from '@memory/engine/recall/sequence-coherence'
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
  /** What store order says. */
  order: StoreOrder
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
  const runs = sample.map((idx) => runFrom(index, shard, idx))
  const wanted = new Set([...spread, ...runs.flat()])
  const keys = await findShardKeys(queries, spaceId, shard, Int32Array.from(wanted))
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
  const unitRuns = runs.map((run) => run.flatMap((idx) => keys.get(idx) ?? []).map(unit))
  const pairs = unitRuns.flatMap(([a, b]) => (a === undefined || b === undefined ? [] : [[a, b] as const]))
  const fours = unitRuns.filter((run) => run.length === runLength) as unknown as Run[]
  return {
    directions: { sum, count },
    sample,
    readKeys: new Map(),
    order: { coherence: sequenceCoherence(pairs, centre), turns: turnTaking(fours, centre) },
  }
}

/** As many patterns as tell whether speakers take turns. */
const runLength = 4

/** A pattern and those stored after it, as long as they are in the shard. */
function runFrom(index: SpaceIndex, shard: Shard, first: number): number[] {
  const run = [first]
  while (run.length < runLength) {
    const next = index.nextAfter(run.at(-1) as number)
    if (next === undefined || !index.isIn(shard, next)) break
    run.push(next)
  }
  return run
}

function evenly(all: readonly number[], count: number): number[] {
  const step = Math.max(1, all.length / count)
  return Array.from({ length: Math.min(all.length, count) }, (_, i) => all[Math.floor(i * step)] as number)
}

function unit(key: Float32Array): Float32Array {
  const scale = 1 / norm(key)
  return key.map((value) => value * scale)
}
