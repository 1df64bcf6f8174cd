import { searchShard } from '@memory/memory/index/search-shard'
import type { SearchTarget, Shard } from '@memory/memory/index/shard'
import { byScoreThenLabel, naiveCosine, type Scored } from '../../engine/naive.ts'

export interface Held {
  key: Float32Array
  isText: boolean
}

/** Everything a shard holds, with its cosine to the query, best first. */
export function searchAll(
  target: SearchTarget,
  query: Float32Array,
  { textOnly = false, allowed }: { textOnly?: boolean; allowed?: Uint8Array } = {},
): Scored[] {
  const { labels, scores } = searchShard(target, query, { k: everything, minScore: -1, textOnly, allowed })
  return toScored(labels, scores)
}

const everything = 1_000_000

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
  return {
    found: {
      size: shard?.size ?? 0,
      all: shard === undefined ? [] : searchAll(shard.target, query),
      texts: shard === undefined ? [] : searchAll(shard.target, query, { textOnly: true }),
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
