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

/** What recall knows of a shard's keys on the whole, from a sample of them. */
export interface SpaceShape {
  /** Of the sampled keys at length 1. */
  directions: Directions
  /** Patterns that stand for all, evenly spread over store order. */
  sample: Int32Array
  /** Keys of the sample that are not in memory as float32, once they were read. */
  readKeys: Map<number, Float32Array>
  /** What store order says. */
  order: Pick<StoreOrder, 'coherence' | 'turns'>
}

interface Known {
  /** How many patterns there were when this was measured, and how many changes of the index. */
  size: number
  changes: number
  shape: Promise<SpaceShape>
}

/** Whose shape is measured: what store order says differs between texts, whose subjects are known, and keys in general. */
export interface Shaped {
  index: SpaceIndex
  shard: Shard
  /** In which texts were stored; undefined where the shard is searched by keys. */
  texts?: Sequence | undefined
  /** Those patterns of the space that the caller may see; undefined: all. */
  visible?: PatternSet | undefined
}

/** By who sees what: an end user's shape is told from what they may see, and nobody else's is that one. */
const known = new WeakMap<Shard, LRUCache<string, Known>>()

/** Of a shard: a shape takes some KB. */
const shapesMax = 1_000

/** Measured anew when this share of a shard, or of the sample, is other: until then it moves by less than its sampling error. */
const staleShare = 0.05

/** So few patterns are all in the sample: any change has them measured anew, which takes less than the search, and processes agree. */
const exactMax = momentSample

/** Which share of so many patterns may be other before they are measured anew. */
const staleShareOf = (size: number): number => (size <= exactMax ? 0 : staleShare)

/** The shape of a shard's keys, of those that the caller may see; kept until these have changed much. */
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
 * Whether a sample stands for its shard still: one that loses as many patterns as it gets keeps its size, and so does one whose
 * patterns are replaced by others or get another subject.
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

/** As many patterns as tell whether speakers take turns. */
const runLength = 4

/** Up to `length` patterns: one and those stored before or after it, as long as they are in the shard. */
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

/** A pattern far away from one in the sequence of both, later if there is any; undefined where all are near. */
function farFrom(shaped: Shaped, idx: number): number | undefined {
  for (const way of ['after', 'before'] as const) {
    const run = runFrom(shaped, idx, way, farLag + 1)
    if (run.length > farLagMin) return run.at(-1)
  }
  return undefined
}

function evenly(all: readonly number[], count: number): number[] {
  const step = Math.max(1, all.length / count)
  return Array.from({ length: Math.min(all.length, count) }, (_, i) => all[Math.floor(i * step)] as number)
}

function unit(key: Float32Array): Float32Array {
  const scale = 1 / norm(key)
  return key.map((value) => value * scale)
}
