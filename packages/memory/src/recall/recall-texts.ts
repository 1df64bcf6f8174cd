import { advanceTo } from '@memory/engine/modulation'
import { type HeadName, type HeadWeights, headNames } from '@memory/engine/recall/heads'
import type { Scored } from '@memory/engine/recall/score'
import type { NamedTime } from '@memory/engine/recall/time-expressions'
import { geometricSurprise } from '@memory/engine/surprise'
import { JsonText } from '@memory/shared/catalogue/json-text'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { answeredBy } from '../learning/answered-by.ts'
import { recordAnswer } from '../learning/record-use.ts'
import { type Moment, momentJson, momentOf } from '../patterns/past-store.ts'
import { searchTextsAt, textResultJson } from '../texts/search-texts.ts'
import { byMeaning } from './cosine-order.ts'
import { recall } from './recall.ts'
import type { RecallTexts } from './schema.ts'
import { placeIn } from './search-passages.ts'

/** The recall operation: text patterns ordered by the sum of what all heads say. */
export async function recallTexts(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof RecallTexts>['body'],
): Promise<JsonText<Output<typeof RecallTexts>>> {
  const started = performance.now()
  const moment = momentOf(body)
  const { results, info } =
    moment === undefined
      ? await recallNow(context, caller, body)
      : await recallAt(context, caller, body, moment)
  return new JsonText(
    `{"results":[${results.join(',')}],"info":${JSON.stringify(info)},"latency_ms":${performance.now() - started}}`,
  )
}

interface Recalled {
  /** JSON texts. */
  results: string[]
  info: Output<typeof RecallTexts>['info']
}

async function recallNow(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof RecallTexts>['body'],
): Promise<Recalled> {
  const { query, top_k, filter, min_similarity, explain, read_only } = body
  const recalled = await recall(context, caller, {
    query,
    k: top_k,
    filter,
    minSimilarity: min_similarity ?? -1,
    timeSeenFrom: body.time ? (body.reference_time ?? context.clock.now()).getTime() : undefined,
  })
  const { pathway, search, nearest, time } = recalled
  const taken = recalled.taken.map(({ scored }) => scored)
  if (!read_only) {
    const patterns = answeredBy(pathway, taken)
    recordAnswer(context, caller, { query, pathway, patterns, search, nearest, asked: recalled.vector })
  }
  const info: Recalled['info'] = {
    pathway,
    surprise: geometricSurprise(nearest),
    candidates: recalled.scored.length,
    reranked: isReranked(taken, recalled.scored),
    head_weights: inOrder(recalled.weights),
    lexical_hits: recalled.lexicalHits,
    co_access_boosted: taken.filter((scored) => isBoosted(scored, recalled.weights)).length,
    collapsed: recalled.collapsed,
    regime: recalled.regime,
    ...(time !== undefined && { time: timeJson(time) }),
  }
  const results = recalled.taken.map(({ scored, payload }) =>
    textResultJson(payload, scored.cosine, {
      passage: placeIn(payload.text, scored, recalled.passages),
      ...(explain && { scores: scoresOf(scored) }),
    }),
  )
  return { results, info }
}

/** Recall with `as_of` or `include_superseded`: searches past patterns or invalid ones too, ordered by cosine alone. */
async function recallAt(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof RecallTexts>['body'],
  moment: Moment,
): Promise<Recalled> {
  const { learned, clock } = context
  const { state } = await learned.get(caller.spaceId, caller.engineVersion)
  const found = await searchTextsAt(context, caller, body, moment)
  const results = found.map((one) =>
    textResultJson({ ...one, text: one.text as string }, one.cosine, {
      moment: momentJson(one),
      ...(body.explain && { scores: scoresOf(byMeaning(one)) }),
    }),
  )
  return {
    results,
    info: {
      pathway: 'exact',
      surprise: geometricSurprise(found[0]?.cosine),
      candidates: found.length,
      reranked: false,
      head_weights: inOrder({ semantic: 1, lexical: 0, associative: 0, contiguity: 0, salience: 0 }),
      lexical_hits: 0,
      co_access_boosted: 0,
      collapsed: 0,
      regime: advanceTo(state.modulation, clock.now().getTime()).state.regime,
    },
  }
}

const timeJson = ({ from, to, expression }: NamedTime) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  expression,
})

/** What each head added to the score of a text, in standard deviations over the space. */
const scoresOf = ({ score, parts, time }: Scored) => ({
  ...(Object.fromEntries(headNames.map((head, i) => [head, parts[i] ?? 0])) as Record<HeadName, number>),
  time,
  total: score,
})

/** The weights in the order of `headNames`: jsonb does not keep the order of fields. */
const inOrder = (weights: HeadWeights): HeadWeights =>
  Object.fromEntries(headNames.map((head) => [head, weights[head]])) as Record<HeadName, number>

const associative = headNames.indexOf('associative')

/** Whether associations raised a pattern. */
const isBoosted = ({ z }: Scored, weights: HeadWeights): boolean =>
  weights.associative > 0 && (z[associative] ?? 0) > 0

/** Whether an answer differs, in its texts or their order, from the nearest texts by cosine. */
function isReranked(results: readonly Scored[], scored: readonly Scored[]): boolean {
  const last = results.at(-1)
  if (last === undefined) return false
  const inOrder = results.every((one, i) => i === 0 || isNearer(results[i - 1] as Scored, one))
  return !inOrder || scored.filter((one) => isNearer(one, last)).length >= results.length
}

const isNearer = (a: Scored, b: Scored): boolean =>
  a.cosine > b.cosine || (a.cosine === b.cosine && a.idx < b.idx)
