import { norm } from '@memory/engine/kernels/javascript'
import { kernels } from '@memory/engine/kernels/kernels'
import { type MeanDeviation, noSignal, weightedMeanDeviation } from '@memory/engine/recall/mean-deviation'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import type { SpaceShape } from './space-shape.ts'

/**
 * Mean and deviation over a shard of what the semantic head says of its patterns, (q/|q| - c) k/|k|, from the sample that
 * stands for them.
 * @param query as long as the shard has dimensions, not all zero
 * @param centre that queries are told apart from; undefined: none
 */
export async function semanticMeanDeviation(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Pick<Caller, 'spaceId'>,
  { index, shard, shape }: { index: SpaceIndex; shard: Shard; shape: SpaceShape },
  query: Float32Array,
  centre: Float32Array | undefined,
): Promise<MeanDeviation> {
  const direction = centre === undefined ? query : apart(query, centre)
  const length = centre === undefined ? 1 : norm(direction)
  if (length === 0) return noSignal
  const sample = shape.sample.filter((idx) => index.isIn(shard, idx))
  const { values, held } = shard.cosines(Int32Array.from(sample), [direction])
  const unread = sample.filter((idx, at) => held[at] === 0 && !shape.readKeys.has(idx))
  if (unread.length > 0) {
    const read = await findShardKeys(queries, spaceId, shard, Int32Array.from(unread))
    for (const [idx, key] of read) shape.readKeys.set(idx, key)
  }
  const semantic: { value: number; count: number }[] = []
  for (const [at, idx] of sample.entries()) {
    if (held[at] === 1) {
      semantic.push({ value: length * (values[at] as number), count: 1 })
      continue
    }
    const key = shape.readKeys.get(idx)
    if (key !== undefined) semantic.push({ value: length * kernels.cosine(key, direction), count: 1 })
  }
  return weightedMeanDeviation(semantic)
}

function apart(query: Float32Array, centre: Float32Array): Float32Array {
  const scale = 1 / norm(query)
  return query.map((value, i) => scale * value - (centre[i] as number))
}
