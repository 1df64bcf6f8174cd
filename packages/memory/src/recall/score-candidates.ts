import type { Hits } from '@memory/engine/kernels/kernels'
import { activationsOf } from '@memory/engine/learning/association'
import { parameters } from '@memory/engine/parameters'
import type { HeadWeights } from '@memory/engine/recall/heads'
import { type MeanDeviation, noSignal } from '@memory/engine/recall/mean-deviation'
import { type Candidate, combineHeads, type Scored } from '@memory/engine/recall/score'
import { spreadActivation } from '@memory/engine/recall/spread'
import { salienceOf } from '@memory/engine/salience'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { cosinesOf } from './candidate-keys.ts'
import type { NearPassage } from './search-passages.ts'
import type { ShardScoring } from './shard-scoring.ts'
import { salienceMeanDeviation } from './space-salience.ts'

const { strongPatterns, neighbourLag } = parameters.recall

type ScoringContext = Pick<MemoryContext, 'queries' | 'clock'>

/** What candidates are found in and scored by. */
export interface RecallInput {
  index: SpaceIndex
  /** Of each shard that candidates may be in. */
  shards: readonly ShardScoring[]
  learning: SpaceLearning
  /** Nearest patterns by cosine, best first. */
  dense: Hits
  /** Of long texts the passage that is nearest, by idx. */
  passages?: ReadonlyMap<number, NearPassage> | undefined
  /** What the query's words say; undefined for a query without words. */
  words?: LexicalEvidence | undefined
  weights: HeadWeights
  /** Only these patterns count; undefined: all. */
  among?: ReadonlySet<number> | undefined
}

/** What the words of a query say of patterns. */
export interface LexicalEvidence {
  /** Patterns that share words with the query, best first. */
  labels: Int32Array
  /** Of BM25, over all patterns. */
  meanDeviation: MeanDeviation
  /** BM25 of patterns. */
  scoresOf(indexes: readonly number[]): Promise<Map<number, number>>
  /** Whether a pattern is a text: others are in no answer, and bring none. */
  isText(idx: number): boolean
  /** Whether a pattern's text asks something. */
  asks(idx: number): boolean
}

/**
 * Scores the candidates of a query: what is nearest, what shares its words, what was used with those, and what was
 * stored next to the strongest of them. Best first.
 */
export async function scoreCandidates(
  context: ScoringContext,
  caller: Caller,
  input: RecallInput,
): Promise<Scored[]> {
  const { index, shards, learning, dense, passages, words, among } = input
  const now = context.clock.now().getTime()
  const nearest = Array.from(dense.labels, (idx, i) => ({ idx, cosine: dense.scores[i] as number }))
  const spread = spreadActivation(
    activationsOf(nearest),
    (idx) => learning.associatesOf(idx),
    index.size,
    now,
  )
  const strong = [
    ...dense.labels.subarray(0, strongPatterns),
    ...(words?.labels.subarray(0, strongPatterns) ?? []),
  ]
  // Where store order says nothing, neighbours would gain nothing.
  const hasOrder = shards.some(({ sequenceCoherence }) => sequenceCoherence > 0)
  const found = new Set([
    ...dense.labels,
    ...(passages?.keys() ?? []),
    ...(words?.labels ?? []),
    ...spread.activation.keys(),
    ...(hasOrder ? strong.flatMap((idx) => index.around(idx, neighbourLag)) : []),
  ])
  const candidates = [...found].filter((idx) => (among?.has(idx) ?? true) && (words?.isText(idx) ?? true))
  const salience = salienceMeanDeviation(learning, index.end, now)
  const heads = { lexical: words?.meanDeviation ?? noSignal, associative: spread.meanDeviation, salience }
  const [lexical, ...places] = await Promise.all([
    words?.scoresOf(candidates),
    ...shards.map((shard) => locate(context, caller, index, shard, candidates)),
  ])
  const scored = places.flatMap((located, i) =>
    combineHeads(
      located.map(({ idx, cosine, centreCosine }) => ({
        idx,
        cosine,
        passageCosine: passages?.get(idx)?.cosine,
        centreCosine,
        lexical: lexical?.get(idx) ?? 0,
        associative: spread.activation.get(idx) ?? 0,
        salience: salience.deviation === 0 ? 0 : salienceOf(learning.useOf(idx), now),
        asks: words?.asks(idx),
      })),
      { ...heads, ...(shards[i] as ShardScoring) },
      input.weights,
    ),
  )
  return places.length > 1 ? scored.sort((a, b) => b.score - a.score || a.idx - b.idx) : scored
}

/** The candidates that a shard holds, with their cosines to the query, and to the centre where there is one. */
async function locate(
  context: ScoringContext,
  caller: Caller,
  index: SpaceIndex,
  { shard, directions: [query, centre] }: ShardScoring,
  candidates: readonly number[],
): Promise<Pick<Candidate, 'idx' | 'cosine' | 'centreCosine'>[]> {
  const own = candidates.filter((idx) => index.isIn(shard, idx))
  const directions = centre === undefined ? [query] : [query, centre]
  const { values, held } = await cosinesOf(context, caller, shard, own, directions)
  const width = directions.length
  return own.flatMap((idx, at) =>
    held[at] === 0
      ? []
      : [
          {
            idx,
            cosine: values[at * width] as number,
            centreCosine: centre === undefined ? 0 : (values[at * width + 1] as number),
          },
        ],
  )
}
