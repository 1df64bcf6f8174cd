import { type HeadName, type HeadWeights, headNames } from '@memory/engine/recall/heads'
import type { Scored } from '@memory/engine/recall/score'
import { geometricSurprise } from '@memory/engine/surprise'
import { JsonText } from '@memory/shared/catalogue/json-text'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { answeredBy } from '../learning/answered-by.ts'
import { recordAnswer } from '../learning/record-use.ts'
import { textResultJson } from '../texts/search-texts.ts'
import { recall } from './recall.ts'
import type { RecallTexts } from './schema.ts'
import { placeIn } from './search-passages.ts'

/** Text patterns in the order of their fused score. */
export async function recallTexts(
  context: MemoryContext,
  caller: Caller,
  { query, top_k, filter, min_similarity, explain, read_only }: Input<typeof RecallTexts>['body'],
): Promise<JsonText<Output<typeof RecallTexts>>> {
  const started = performance.now()
  const recalled = await recall(context, caller, {
    query,
    k: top_k,
    filter,
    minSimilarity: min_similarity ?? -1,
  })
  const { pathway, search, nearest } = recalled
  const taken = recalled.taken.map(({ scored }) => scored)
  if (!read_only) {
    const patterns = answeredBy(pathway, taken)
    recordAnswer(context, caller, { query, pathway, patterns, search, nearest, asked: recalled.vector })
  }
  const info: Output<typeof RecallTexts>['info'] = {
    pathway,
    surprise: geometricSurprise(nearest),
    candidates: recalled.scored.length,
    reranked: isReranked(taken, recalled.scored),
    head_weights: inOrder(recalled.weights),
    lexical_hits: recalled.lexicalHits,
    co_access_boosted: taken.filter((scored) => isBoosted(scored, recalled.weights)).length,
    collapsed: recalled.collapsed,
    regime: recalled.regime,
  }
  const results = recalled.taken.map(({ scored, payload }) =>
    textResultJson(payload, scored.cosine, {
      passage: placeIn(payload.text, scored, recalled.passages),
      ...(explain && { scores: scoresOf(scored) }),
    }),
  )
  return new JsonText(
    `{"results":[${results.join(',')}],"info":${JSON.stringify(info)},"latency_ms":${performance.now() - started}}`,
  )
}

/** What each head added to the score of a text, in deviations over the space. */
const scoresOf = ({ score, parts }: Scored) => ({
  ...(Object.fromEntries(headNames.map((head, i) => [head, parts[i] ?? 0])) as Record<HeadName, number>),
  total: score,
})

/** The database keeps them in an order of its own. */
const inOrder = (weights: HeadWeights): HeadWeights =>
  Object.fromEntries(headNames.map((head) => [head, weights[head]])) as Record<HeadName, number>

const associative = headNames.indexOf('associative')

/** Whether co-access raised a pattern. */
const isBoosted = ({ z }: Scored, weights: HeadWeights): boolean =>
  weights.associative > 0 && (z[associative] ?? 0) > 0

/** Whether the texts of an answer are others than the nearest by cosine, or stand in another order. */
function isReranked(results: readonly Scored[], scored: readonly Scored[]): boolean {
  const last = results.at(-1)
  if (last === undefined) return false
  const inOrder = results.every((one, i) => i === 0 || isNearer(results[i - 1] as Scored, one))
  return !inOrder || scored.filter((one) => isNearer(one, last)).length >= results.length
}

const isNearer = (a: Scored, b: Scored): boolean =>
  a.cosine > b.cosine || (a.cosine === b.cosine && a.idx < b.idx)
