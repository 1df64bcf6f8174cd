import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { concatVectors, rowCosines } from '../index/row-cosines.ts'
import type { Shard, ShardCosines } from '../index/shard.ts'
import * as store from '../store.ts'

/**
 * Cosines between patterns of a shard and directions, bit for bit equal to those of a search. Keys that are not in memory as
 * float32 are read from the database in one round trip; `held` is 0 for a pattern that is gone.
 * @param directions of the shard's dimension, none all zero
 */
export async function cosinesOf(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Pick<Caller, 'spaceId'>,
  shard: Shard,
  indexes: readonly number[],
  directions: readonly Float32Array[],
): Promise<ShardCosines> {
  const { dimensions, modelId } = shard
  const width = directions.length
  const { values, held } = shard.cosines(new Int32Array(indexes), directions)
  if (!held.includes(0)) return { values, held }
  const places = new Map<number, number>()
  for (const [at, idx] of indexes.entries()) if (held[at] === 0) places.set(idx, at)
  const keys = await store.findKeys(queries, spaceId, [...places.keys()], modelId)
  const read = [...keys].filter(([, key]) => key.length === dimensions)
  const rows = concatVectors(
    read.map(([, key]) => key),
    dimensions,
  )
  const cosines = rowCosines(rows, dimensions, directions)
  for (const [row, [idx]] of read.entries()) {
    const at = places.get(idx) as number
    values.set(cosines.subarray(row * width, (row + 1) * width), at * width)
    held[at] = 1
  }
  return { values, held }
}
