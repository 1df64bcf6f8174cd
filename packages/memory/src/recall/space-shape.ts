import { norm } from '@memory/engine/kernels/javascript'
import { parameters } from '@memory/engine/parameters'
import { byIdx, type Sequence, type StoreOrder } from '@memory/engine/recall/contiguity'
import type { Directions } from '@memory/engine/recall/query-centre'
import {
  type Run,
  sequenceCoherence,
  type Triple,
  turnTaking,
} from '@memory/engine/recall/sequence-coherence'
import type { Caller } from '@memory/shared/catalogue/operation'
import { LRUCache } from 'lru-cache'
import type { MemoryContext } from '../context.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'

const { centreSample, momentSample, centreShrink, farLag, farLagMin } = parameters.recall

/** Statistics of a shard's keys, estimated from samples. */
export interface SpaceShape {
  /** Sum and count of the sampled keys, each at length 1. */
  directions: Directions
  /** The idx of sampled patterns, evenly spread over store order. */
  sample: Int32Array
  /** Keys of the sample that are not in memory as float32, as they are read from the database. */
  readKeys: Map<number, Float32Array>
  /** How much store order says about which patterns belong together. */
  order: Pick<StoreOrder, 'coherence' | 'turns'>
}

interface Known {
  /** Number of patterns when this was measured. */
  size: number
  /** `SpaceIndex.changes` when this was measured. */
  changes: number
  shape: Promise<SpaceShape>
}

/** The part of a shard whose shape is measured. */
export interface Shaped {
  index: SpaceIndex
  shard: Shard
  /** Store order of the texts, subject by subject, for a text query; undefined for a vector query, which goes by idx. */
  texts?: Sequence | undefined
  /** The patterns that the caller may see; undefined: all. */
  visible?: PatternSet | undefined
}

/**
 * By shard, and then by query kind and end user: the shape for a bound caller is measured from only what that end user may see,
 * so that nobody else's patterns influence their answers.
 */
const known = new WeakMap<Shard, LRUCache<string, Known>>()

/** Shapes kept for each shard; one takes some KB. */
const shapesMax = 1_000

/** A shape is measured anew when this share of the shard, or of the sample, has changed: less moves it less than its error. */
const staleShare = 0.05

/**
 * Up to this size every pattern is in the sample and any change has it measured anew: that takes less time than the search, and
 * makes all processes agree.
 */
const exactMax = momentSample

/** The share of `size` patterns that may change before they are measured anew. */
const staleShareOf = (size: number): number => (size <= exactMax ? 0 : staleShare)

/** The shape of the keys in a shard that the caller may see; measured anew once these have changed much. */
export async function shapeOf(
  context: Pick<MemoryContext, 'queries'>,
  caller: Pick<Caller, 'spaceId' | 'subject'>,
  shaped: Shaped,
): Promise<SpaceShape> {
  const { index, shard, texts } = shaped
  const shapes = known.get(shard) ?? new LRUCache<string, Known>({ max: shapesMax })
  known.set(shard, shapes)
  const whose = JSON.stringify([texts === undefined ? 'keys' : 'texts', caller.subject ?? null])
  const size = sizeOf(shaped)
  const before = shapes.get(whose)
  if (before !== undefined && Math.abs(size - before.size) <= staleShareOf(size) * before.size) {
    const shape = await before.shape
    if (isMostlyTheSame(shape, before, shaped)) return shape
    // Another recall may have begun to measure it meanwhile.
    if (shapes.get(whose) !== before) return shapeOf(context, caller, shaped)
  }
  const shape = measure(context, caller, shaped)
  shapes.set(whose, { size, changes: index.changes, shape })
  shape.catch(() => shapes.delete(whose))
  return shape
}

/**
 * Whether few enough sampled patterns have changed. The shard's size alone does not tell: it stays when as many patterns are
 * removed as added, or when patterns are replaced.
 */
function isMostlyTheSame({ sample }: SpaceShape, { size, changes }: Known, shaped: Shaped): boolean {
  const { index } = shaped
  let others = 0
  for (let at = 0; at < sample.length; at++) {
    const idx = sample[at] as number
    if (!isOf(shaped, idx) || index.isChanged(idx, changes)) others++
  }
  return others <= staleShareOf(size) * sample.length
}

/** How many patterns of the shard the caller may see. */
export const sizeOf = ({ index, shard, visible }: Shaped): number =>
  visible === undefined ? shard.size : index.allow(shard, visible).count

/** Whether a pattern is in the shard, and the caller may see it. */
export const isOf = ({ index, shard, visible }: Shaped, idx: number): boolean =>
  index.isIn(shard, idx) && (visible?.has(idx) ?? true)

async function measure(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Pick<Caller, 'spaceId'>,
  shaped: Shaped,
): Promise<SpaceShape> {
  const { index, shard, visible } = shaped
  const spread =
    visible === undefined
      ? index.spread(shard, centreSample)
      : index.allow(shard, visible).spread(centreSample)
  const sample = evenly(spread, momentSample)
  const runs = sample.map((idx) => runFrom(shaped, idx, 'after', runLength))
  const far = sample.map((idx) => farFrom(shaped, idx))
  const wanted = new Set([...spread, ...runs.flat(), ...far.flatMap((idx) => idx ?? [])])
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
  const triples = unitRuns.flatMap(([key, next], i): Triple[] => {
    const apart = keys.get(far[i] ?? -1)
    return key === undefined || next === undefined || apart === undefined ? [] : [[key, next, unit(apart)]]
  })
  const fours = unitRuns.filter((run) => run.length === runLength) as unknown as Run[]
  return {
    directions: { sum, count },
    sample: Int32Array.from(sample),
    readKeys: new Map(),
    order: { coherence: sequenceCoherence(triples, centre), turns: turnTaking(fours, centre) },
  }
}

/** Length of the sequences from which `turnTaking` tells whether speakers alternate. */
const runLength = 4

/** Up to `length` patterns of the shard: `first`, and those stored after (or before) it, until one is not in the shard. */
function runFrom(shaped: Shaped, first: number, way: keyof Sequence, length: number): number[] {
  const { texts = byIdx } = shaped
  const run = [first]
  while (run.length < length) {
    const next = texts[way](run.at(-1) as number)
    if (next === undefined || !isOf(shaped, next)) break
    run.push(next)
  }
  return run
}

/** A pattern far away from `idx` in store order, after it or else before it; undefined if there is none. */
function farFrom(shaped: Shaped, idx: number): number | undefined {
  for (const way of ['after', 'before'] as const) {
    const run = runFrom(shaped, idx, way, farLag + 2)
    // An odd number of places away, as the next one is: where two speak in turn, what is far is the other's too.
    const odd = run.slice(0, run.length - (run.length % 2))
    if (odd.length > farLagMin) return odd.at(-1)
  }
  return undefined
}

/** Up to `count` of a list, evenly spread. */
function evenly(all: readonly number[], count: number): number[] {
  const step = Math.max(1, all.length / count)
  return Array.from({ length: Math.min(all.length, count) }, (_, i) => all[Math.floor(i * step)] as number)
}

function unit(key: Float32Array): Float32Array {
  const scale = 1 / norm(key)
  return key.map((value) => value * scale)
}
