import type { Caller } from '../../catalogue/operation.ts'
import { kernels, RowFlag } from '../../engine/kernels/kernels.ts'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import { findShardKeys } from '../key-lookup.ts'

/** Cosines of patterns to several directions: a pattern's are in the order of the directions. */
export type Cosines = Map<number, number[]>

/**
 * Cosines of a shard's patterns to directions, to the last bit as a search gives them. Of a pattern that is gone there
 * is none.
 * @param directions as long as the shard has dimensions, none all zero
 */
export async function cosinesOf(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Pick<Caller, 'spaceId'>,
  shard: Shard,
  indexes: readonly number[],
  directions: readonly Float32Array[],
): Promise<Cosines> {
  const keys = await findShardKeys(queries, spaceId, shard, Int32Array.from(indexes))
  const { dimensions } = shard
  const count = keys.size
  const values = new Float32Array(count * dimensions)
  const labels = Int32Array.from(keys.keys())
  labels.forEach((idx, row) => {
    values.set(keys.get(idx) as Float32Array, row * dimensions)
  })
  const matrix = {
    dimensions,
    count,
    values,
    inverseNorms: kernels.norms(values, dimensions).map((norm) => 1 / norm),
    labels,
    flags: new Uint8Array(count).fill(RowFlag.alive),
  }
  const cosines: Cosines = new Map(Array.from(labels, (idx) => [idx, []]))
  for (const direction of directions) {
    const { labels: found, scores } = kernels.nearest(matrix, direction, count, -1, {
      requiredFlags: RowFlag.alive,
    })
    found.forEach((idx, i) => {
      cosines.get(idx)?.push(scores[i] as number)
    })
  }
  return cosines
}
