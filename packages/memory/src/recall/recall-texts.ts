import { setImmediate } from 'node:timers/promises'
import { advanceTo, policyOf } from '@memory/engine/modulation'
import { parameters } from '@memory/engine/parameters'
import { type HeadName, type HeadWeights, headNames } from '@memory/engine/recall/heads'
import type { Scored } from '@memory/engine/recall/score'
import { geometricSurprise } from '@memory/engine/surprise'
import { JsonText } from '@memory/shared/catalogue/json-text'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { bitsOf } from '../index/bits.ts'
import type { LexicalFound } from '../index/lexical-index.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { answeredBy } from '../learning/answered-by.ts'
import { recordAnswer } from '../learning/record-use.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import type { SpaceTexts } from '../lexical/text-cache.ts'
import * as store from '../store.ts'
import { searchTexts, textResultJson } from '../texts/search-texts.ts'
import { inCosineOrder } from './cosine-order.ts'
import { recalledOf } from './recalled.ts'
import type { RecallTexts } from './schema.ts'
import { type LexicalEvidence, scoreCandidates } from './score-candidates.ts'
import { placeIn, searchPassages } from './search-passages.ts'
import { type ShardScoring, shardScoringOf } from './shard-scoring.ts'
import { takeTexts } from './take-texts.ts'

const { lexicalPatterns } = parameters.recall

/** Text patterns in the order of their fused score. */
export async function recallTexts(
  context: MemoryContext,
  caller: Caller,
  { query, top_k, filter, min_similarity }: Input<typeof RecallTexts>['body'],
): Promise<JsonText<Output<typeof RecallTexts>>> {
  const started = performance.now()
  const recalled = await recall(context, caller, {
    query,
    k: top_k,
    filter,
    minSimilarity: min_similarity ?? -1,
  })
  const { pathway, taken, search, nearest } = recalled
  recordAnswer(context, caller, {
    query,
    pathway,
    patterns: answeredBy(
      pathway,
      taken.map(({ scored }) => scored),
    ),
    search,
    nearest,
    asked: recalled.vector,
  })
  const info: Output<typeof RecallTexts>['info'] = {
    pathway,
    surprise: geometricSurprise(nearest),
    candidates: recalled.scored.length,
    reranked: isReranked(
      taken.map(({ scored }) => scored),
      recalled.scored,
    ),
    head_weights: inOrder(recalled.weights),
    lexical_hits: recalled.lexicalHits,
    co_access_boosted: taken.filter(({ scored }) => isBoosted(scored, recalled.weights)).length,
    regime: recalled.regime,
  }
  const results = taken.map(({ scored, payload }) =>
    textResultJson(payload, scored.cosine, placeIn(payload.text, scored, recalled.passages)),
  )
  return new JsonText(
    `{"results":[${results.join(',')}],"info":${JSON.stringify(info)},"latency_ms":${performance.now() - started}}`,
  )
}

/** The database keeps them in an order of its own. */
const inOrder = (weights: HeadWeights): HeadWeights =>
  Object.fromEntries(headNames.map((head) => [head, weights[head]])) as Record<HeadName, number>

const associative = headNames.indexOf('associative')

/** Whether co-access raised a pattern. */
const isBoosted = ({ z }: Scored, weights: HeadWeights): boolean =>
  weights.associative > 0 && (z[associative] ?? 0) > 0

/** What is recalled, and how. */
export interface RecallRequest {
  query: string
  k: number
  filter?: store.Metadata | undefined
  /** Least cosine. */
  minSimilarity: number
}

/** Recalls without recording that it did. */
export async function recall(context: MemoryContext, caller: Caller, request: RecallRequest) {
  const { query, k, minSimilarity } = request
  const found = await search(context, caller, request)
  const { vector, index, dense, passages, scoring, lexical, learning, among } = found
  const { state: modulation } = advanceTo(learning.state.modulation, context.clock.now().getTime())
  const weights = learning.state.headWeights
  const isExact = policyOf(modulation).forceExact || scoring === undefined
  const scored: Scored[] = isExact
    ? inCosineOrder(dense)
    : await scoreCandidates(context, caller, {
        index,
        shards: [scoring],
        learning,
        dense,
        passages,
        words: wordsOf(context, caller, query, lexical),
        weights,
        among: among && new Set(among),
      })
  const similar = minSimilarity > -1 ? scored.filter(({ cosine }) => cosine >= minSimilarity) : scored
  return {
    vector,
    pathway: isExact ? ('exact' as const) : ('attention' as const),
    taken: await takeTexts(context, caller.spaceId, index, similar, k),
    /** Greatest cosine of a text; undefined where there is none. */
    nearest: dense.scores[0],
    /** By which the nearest was found. */
    search: { minScore: -1, among },
    /** Every candidate, best first. */
    scored,
    passages,
    lexicalHits: lexical.found.matched,
    weights,
    regime: modulation.regime,
  }
}

/** Looks the query up by its words and by its vector at the same time, each as soon as it has what it needs. */
async function search(context: MemoryContext, caller: Caller, { query, k, filter }: RecallRequest) {
  const { spaceId, spaceVersion } = caller
  const listing =
    filter === undefined
      ? undefined
      : store.listMatching(context.queries, spaceId, filter, true, caller.signal)
  const allowing = listing?.then((among) => bitsOf(among))
  const learned = context.learned.get(spaceId, caller.engineVersion)
  const embedding = context.compute.embed(caller, query, 'search')
  const reading = context.texts.get(spaceId, spaceVersion)
  // Words need no encoding: what they find is there when the query's vector is.
  const searchingWords = Promise.all([reading, allowing]).then(async ([texts, allowed]) => {
    const { lexical } = texts
    const found = await context.compute.searchLexical(caller, lexical, query, lexicalPatterns, allowed)
    return { texts, found }
  })
  const searchingPassages = Promise.all([embedding, reading, allowing]).then(
    ([vector, { passages }, allowed]) => searchPassages(context.compute, caller, passages, vector, allowed),
  )
  const searchingKeys = Promise.all([embedding, context.spaces.get(spaceId, spaceVersion), listing]).then(
    async ([vector, index, among]) => {
      const search = { ...recalledOf(k), minScore: -1, among }
      const [dense, scoring] = await Promise.all([
        searchTexts(context, caller, index, vector, search),
        scoringMeanwhile(context, caller, index, vector, learned),
      ])
      return { vector, index, dense, scoring }
    },
  )
  const [keys, passages, lexical, learning, among] = await Promise.all([
    searchingKeys,
    searchingPassages,
    searchingWords,
    learned,
    listing,
  ])
  return { ...keys, passages, lexical, learning, among }
}

/** What candidates will be seen against, measured when the search for them has been handed to a thread. */
async function scoringMeanwhile(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  query: Float32Array,
  learned: Promise<SpaceLearning>,
): Promise<ShardScoring | undefined> {
  const shard = index.shard(context.compute.dimensions)
  if (shard === undefined) return undefined
  const [learning] = await Promise.all([learned, setImmediate()])
  return shardScoringOf(context, caller, { index, shard, query, learning, isText: true })
}

function wordsOf(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Caller,
  query: string,
  { texts, found }: { texts: SpaceTexts; found: LexicalFound },
): LexicalEvidence {
  return {
    labels: found.labels,
    meanDeviation: found,
    isText: (idx) => texts.has(idx),
    asks: (idx) => texts.asks(idx),
    async scoresOf(indexes) {
      const scores = new Map(Array.from(found.labels, (idx, i) => [idx, found.scores[i] as number]))
      // All that share a word with the query are known already; the rest score 0.
      if (found.matched <= found.labels.length) return scores
      const others = Int32Array.from(indexes.filter((idx) => !scores.has(idx)))
      const scored = await compute.scoreLexical(caller, texts.lexical, query, others)
      others.forEach((idx, i) => {
        scores.set(idx, scored[i] as number)
      })
      return scores
    },
  }
}

/** Whether the texts of an answer are others than the nearest by cosine, or stand in another order. */
function isReranked(results: readonly Scored[], scored: readonly Scored[]): boolean {
  const last = results.at(-1)
  if (last === undefined) return false
  const inOrder = results.every((one, i) => i === 0 || isNearer(results[i - 1] as Scored, one))
  return !inOrder || scored.filter((one) => isNearer(one, last)).length >= results.length
}

const isNearer = (a: Scored, b: Scored): boolean =>
  a.cosine > b.cosine || (a.cosine === b.cosine && a.idx < b.idx)
