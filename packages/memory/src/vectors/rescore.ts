import { norm } from '@memory/engine/kernels/javascript'
import { type Hits, kernels, type Matrix, RowFlag } from '@memory/engine/kernels/kernels'
import type { Queries } from '@memory/shared/platform/database/database'
import { mergeHits } from '../index/merge-hits.ts'
import type { Found, Shard } from '../index/shard.ts'
import * as store from '../store.ts'

/**
 * The k best results of each of several searches of a shard, with exact scores. Estimated scores (see `Found.exact`) are replaced
 * by the cosines of the keys in the database, bit for bit as a search of float32 keys gives them. One round trip for all
 * searches; none if nothing is estimated.
 * @param queries the query of each search
 */
export function rescore(
  database: Queries,
  spaceId: string,
  { modelId }: Pick<Shard, 'modelId'>,
  queries: readonly Float32Array[],
  searches: readonly Found[],
  best: { k: number; minScore: number },
): Promise<Hits[]> {
  return rescoreBy((indexes) => store.findKeys(database, spaceId, indexes, modelId), queries, searches, best)
}

/** Like `rescore`, with keys from `readKeys` instead of the database. */
export async function rescoreBy(
  readKeys: (indexes: number[]) => Promise<ReadonlyMap<number, Float32Array>>,
  queries: readonly Float32Array[],
  searches: readonly Found[],
  { k, minScore }: { k: number; minScore: number },
): Promise<Hits[]> {
  const estimated = searches.map(({ labels, exact }) => labels.filter((_, i) => exact?.[i] === 0))
  const fetched = new Set(estimated.flatMap((labels) => [...labels]))
  if (fetched.size === 0) return searches.map((found) => first(k, found))
  const keys = await readKeys([...fetched])
  return searches.map(({ labels, scores, exact }, i) => {
    const query = queries[i] as Float32Array
    const read = toMatrix(estimated[i] as Int32Array, keys, query.length)
    const rescored = kernels.nearest(read, query, k, minScore, { requiredFlags: RowFlag.alive })
    const isExact = (_: number, at: number) => exact?.[at] !== 0
    return mergeHits([{ labels: labels.filter(isExact), scores: scores.filter(isExact) }, rescored], k)
  })
}

/** Keys as a matrix for the search kernel. Left out: patterns that are gone, or whose key now has another length. */
function toMatrix(indexes: Int32Array, keys: ReadonlyMap<number, Float32Array>, dimensions: number): Matrix {
  const labels = indexes.filter((idx) => keys.get(idx)?.length === dimensions)
  const values = new Float32Array(labels.length * dimensions)
  const inverseNorms = new Float64Array(labels.length)
  labels.forEach((idx, row) => {
    const key = keys.get(idx) as Float32Array
    values.set(key, row * dimensions)
    inverseNorms[row] = 1 / norm(key)
  })
  const flags = new Uint8Array(labels.length).fill(RowFlag.alive)
  return { dimensions, count: labels.length, values, inverseNorms, labels, flags }
}

function first(k: number, { labels, scores }: Hits): Hits {
  return labels.length <= k
    ? { labels, scores }
    : { labels: labels.subarray(0, k), scores: scores.subarray(0, k) }
}
