import { kernels, RowFlag } from '../../engine/kernels/kernels.ts'
import type { Found, SearchTarget, ShardSearch } from './shard.ts'

/** Searches a shard, in whatever thread. */
export function searchShard(target: SearchTarget, query: Float32Array, search: ShardSearch): Found {
  const { k, minScore, textOnly, allowed } = search
  const requiredFlags = textOnly ? RowFlag.alive | RowFlag.text : RowFlag.alive
  return kernels.nearest(target.matrix, query, k, minScore, { requiredFlags, allowed })
}

/** Searches a shard with each of several vectors, in one pass where the shard can. */
export function searchShardMany(
  target: SearchTarget,
  queries: readonly Float32Array[],
  search: ShardSearch,
): Found[] {
  return queries.map((query) => searchShard(target, query, search))
}
