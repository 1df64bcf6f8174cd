import { kernels, type Matrix, RowFlag } from '@memory/shared/engine/kernels/kernels'
import type { Shard } from '@memory/shared/memory/index/shard'
import { byScoreThenLabel, naiveCosine, type Scored } from '../../engine/naive.ts'

export interface Held {
  key: Float32Array
  isText: boolean
}

/** Everything a matrix holds, with its cosine to the query, best first. */
export function searchAll(matrix: Matrix, query: Float32Array, allowed?: Uint8Array): Scored[] {
  const { labels, scores } = kernels.nearest(matrix, query, matrix.count, -1, {
    requiredFlags: RowFlag.alive,
    allowed,
  })
  return toScored(labels, scores)
}

export function searchTexts(matrix: Matrix, query: Float32Array): Scored[] {
  const { labels, scores } = kernels.nearest(matrix, query, matrix.count, -1, {
    requiredFlags: RowFlag.alive | RowFlag.text,
  })
  return toScored(labels, scores)
}

/** The same from a map, by the definition of cosine. */
export function bruteForce(patterns: Iterable<[number, Held]>, query: Float32Array): Scored[] {
  return Array.from(patterns, ([label, { key }]) => ({
    label,
    score: rounded(naiveCosine(key, query)),
  })).sort(byScoreThenLabel)
}

/** What a shard finds and what it must find, text patterns apart. */
export function compareShard(
  shard: Shard | undefined,
  patterns: ReadonlyMap<number, Held>,
  query: Float32Array,
): { found: unknown; expected: unknown } {
  const matrix = shard?.matrix()
  return {
    found: {
      size: shard?.size ?? 0,
      all: matrix === undefined ? [] : searchAll(matrix, query),
      texts: matrix === undefined ? [] : searchTexts(matrix, query),
    },
    expected: {
      size: patterns.size,
      all: bruteForce(patterns, query),
      texts: bruteForce(
        [...patterns].filter(([, { isText }]) => isText),
        query,
      ),
    },
  }
}

function toScored(labels: Int32Array, scores: Float64Array): Scored[] {
  return Array.from(labels, (label, at) => ({ label, score: rounded(scores[at] as number) })).sort(
    byScoreThenLabel,
  )
}

/** Two ways of adding differ in the last digits. */
function rounded(score: number): number {
  return Math.round(score * 1e9) / 1e9 + 0
}
