import type { Queries } from '@memory/shared/platform/database/database'
import type { Shard } from '../index/shard.ts'
import * as store from '../store.ts'

/**
 * The float32 keys of patterns of a shard: those in memory from there, the rest from the database in one round trip. A
 * pattern is left out that is gone, or whose key has another length or is of another encoder by now.
 */
export async function findShardKeys(
  queries: Queries,
  spaceId: string,
  shard: Pick<Shard, 'dimensions' | 'modelId' | 'keys'>,
  labels: Int32Array,
): Promise<Map<number, Float32Array>> {
  const { dimensions, modelId } = shard
  const { values, held } = shard.keys(labels)
  const found = new Map<number, Float32Array>()
  const missing: number[] = []
  labels.forEach((idx, row) => {
    if (held[row] === 1) found.set(idx, values.subarray(row * dimensions, (row + 1) * dimensions))
    else missing.push(idx)
  })
  if (missing.length === 0) return found
  for (const [idx, key] of await store.findKeys(queries, spaceId, missing, modelId)) {
    if (key.length === dimensions) found.set(idx, key)
  }
  return found
}
