import { type Hits, kernels } from '../engine/kernels/kernels.ts'
import type { Queries } from '../platform/database/database.ts'
import type { Found } from './index/shard.ts'
import * as store from './store.ts'

/**
 * The k best of what a search of a shard found. Estimated scores, of patterns whose key is not in memory as float32,
 * become the cosines of the stored keys; all searches given are settled in one round trip, or none when nothing is
 * estimated.
 * @param queries the query of each search
 */
export async function settleScores(
  database: Queries,
  spaceId: string,
  queries: readonly Float32Array[],
  searches: readonly Found[],
  { k, minScore }: { k: number; minScore: number },
): Promise<Hits[]> {
  const estimated = new Set(
    searches.flatMap(({ labels, exact }) => [...labels.filter((_, i) => exact?.[i] === 0)]),
  )
  if (estimated.size === 0) return searches.map(({ labels, scores }) => first(k, labels, scores))
  const keys = await store.findKeys(database, spaceId, [...estimated])
  return searches.map(({ labels, scores, exact }, i) => {
    const query = queries[i] as Float32Array
    const settled: { label: number; score: number }[] = []
    labels.forEach((label, at) => {
      const score = exact?.[at] === 0 ? cosine(query, keys.get(label)) : scores[at]
      if (score !== undefined && score >= minScore) settled.push({ label, score })
    })
    settled.sort((a, b) => b.score - a.score || a.label - b.label)
    return first(
      k,
      Int32Array.from(settled, ({ label }) => label),
      Float64Array.from(settled, ({ score }) => score),
    )
  })
}

function first(k: number, labels: Int32Array, scores: Float64Array): Hits {
  return labels.length <= k
    ? { labels, scores }
    : { labels: labels.subarray(0, k), scores: scores.subarray(0, k) }
}

/** Undefined for a pattern that is gone, or whose key has another length by now. */
function cosine(query: Float32Array, key: Float32Array | undefined): number | undefined {
  return key?.length === query.length ? kernels.cosine(query, key) : undefined
}
