import type { Hits } from '@memory/engine/kernels/kernels'

/** Merges the results of several searches into the k best; on equal scores the lower label comes first. */
export function mergeHits(lists: readonly Hits[], k: number): Hits {
  const best = lists
    .flatMap(({ labels, scores }) =>
      Array.from(labels, (label, i) => ({ label, score: scores[i] as number })),
    )
    .sort((a, b) => b.score - a.score || a.label - b.label)
    .slice(0, k)
  return {
    labels: Int32Array.from(best, ({ label }) => label),
    scores: Float64Array.from(best, ({ score }) => score),
  }
}
