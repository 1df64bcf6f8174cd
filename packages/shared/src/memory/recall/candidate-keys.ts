import type { Caller } from '../../catalogue/operation.ts'
import { kernels, RowFlag } from '../../engine/kernels/kernels.ts'
import type { Queries } from '../../platform/database/database.ts'
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
  const { dimensions } = shard
  const { values, labels } = await contiguousKeys(queries, spaceId, shard, Int32Array.from(indexes))
  const count = labels.length
  const matrix = {
    dimensions,
    count,
    values,
    inverseNorms: kernels.norms(values, dimensions).map((norm) => 1 / norm),
    labels,
    flags: new Uint8Array(count).fill(RowFlag.alive),
  }
  const together = new Float32Array(directions.length * dimensions)
  directions.forEach((direction, row) => {
    together.set(direction, row * dimensions)
  })
  const found = kernels.nearestMany(matrix, together, count, -1, { requiredFlags: RowFlag.alive })
  const cosines: Cosines = new Map(Array.from(labels, (idx) => [idx, []]))
  for (const { labels: near, scores } of found) {
    near.forEach((idx, i) => {
      cosines.get(idx)?.push(scores[i] as number)
    })
  }
  return cosines
}

/** Keys row after row. Those in memory lie so already, and are not copied where no other is among them. */
async function contiguousKeys(
  queries: Queries,
  spaceId: string,
  shard: Shard,
  labels: Int32Array,
): Promise<{ values: Float32Array; labels: Int32Array }> {
  const { values, held } = shard.keys(labels)
  if (!held.includes(0)) return { values, labels }
  const keys = await findShardKeys(queries, spaceId, shard, labels)
  const all = new Float32Array(keys.size * shard.dimensions)
  let at = 0
  for (const key of keys.values()) {
    all.set(key, at)
    at += shard.dimensions
  }
  return { values: all, labels: Int32Array.from(keys.keys()) }
}
