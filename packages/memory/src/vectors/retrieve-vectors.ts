import type { Hits } from '@memory/engine/kernels/kernels'
import type { Scored } from '@memory/engine/recall/score'
import { JsonText } from '@memory/shared/catalogue/json-text'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { beginLongAnswer } from '@memory/shared/platform/asker'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { answeredBy } from '../learning/answered-by.ts'
import { recordAnswer } from '../learning/record-use.ts'
import { type Moment, momentJson, momentOf, searchAt } from '../patterns/past-store.ts'
import { ownNameJson, type Payload } from '../patterns/pattern-cache.ts'
import { inCosineOrder } from '../recall/cosine-order.ts'
import { recalledOf } from '../recall/recalled.ts'
import { scoreCandidates } from '../recall/score-candidates.ts'
import { shardScoringOf } from '../recall/shard-scoring.ts'
import { pathwayPolicy } from '../routing/pathway-policy.ts'
import { visibleTo } from '../subjects/visible.ts'
import { asSeenBy, searchVectors } from './search-vectors.ts'
import type { QuerySemantic, RetrieveVectors } from './vector-schema.ts'

type Request = Input<typeof QuerySemantic>['body'] & Partial<Input<typeof RetrieveVectors>['body']>

/** The vector retrieve operation: metadata and scores of patterns, ordered by all heads together. */
export async function retrieveVectors(
  context: MemoryContext,
  caller: Caller,
  request: Request,
): Promise<JsonText<Output<typeof RetrieveVectors>>> {
  const started = performance.now()
  const moment = momentOf(request)
  const { results, info } =
    moment === undefined
      ? await retrieveNow(context, caller, request)
      : await retrieveAt(context, caller, request, moment)
  return new JsonText(
    `{"results":[${results.join(',')}],"info":${JSON.stringify(info)},"latency_ms":${performance.now() - started}}`,
  )
}

interface Retrieved {
  /** JSON texts. */
  results: string[]
  info: Output<typeof RetrieveVectors>['info']
}

async function retrieveNow(
  context: MemoryContext,
  caller: Caller,
  { embedding, top_k, filter, min_similarity, read_only }: Request,
): Promise<Retrieved> {
  const { spaceId } = caller
  const index = await context.spaces.get(spaceId, caller.spaceVersion)
  const among = filter && (await findMatching(context, caller, filter))
  const search = { ...recalledOf(top_k), minScore: -1, among }
  const { hits, compared } = await searchVectors(context, caller, index, [embedding], search)
  const dense = hits[0] as Hits
  const { pathway, scored } = await order(context, caller, index, embedding, dense, among)
  const least = min_similarity ?? -1
  const taken = scored.filter(({ cosine }) => cosine >= least).slice(0, top_k)
  await beginLongAnswer(taken.length)
  const payloads = await context.payloads.find(
    spaceId,
    index,
    taken.map(({ idx }) => idx),
    { value: false },
  )
  const answered = taken.filter(({ idx }) => payloads.has(idx))
  if (!read_only) {
    const patterns = answeredBy(pathway, answered)
    recordAnswer(context, caller, { query: embedding, pathway, patterns, search, nearest: dense.scores[0] })
  }
  const results = answered.map((one, rank) =>
    resultJson(payloads.get(one.idx) as Payload, one, rankByCosine(one, scored) !== rank),
  )
  const [top] = answered
  const info = {
    boosted: top !== undefined && top.boost > 0,
    n_candidates: compared,
    original_top_score: (top && dense.scores[0]) ?? 0,
    boosted_top_score: top === undefined ? 0 : top.cosine + top.boost,
  }
  return { results, info }
}

/** With `as_of` or `include_superseded`: past patterns, or invalid ones too, ordered by cosine alone. */
async function retrieveAt(
  { queries, compute: { modelId } }: MemoryContext,
  caller: Caller,
  { embedding, top_k, filter, min_similarity }: Request,
  moment: Moment,
): Promise<Retrieved> {
  const minScore = min_similarity ?? -1
  const search = { modelId, query: embedding, k: top_k, minScore, textOnly: false, filter }
  await beginLongAnswer(top_k)
  const found = await searchAt(queries, caller, { ...search, moment })
  const best = found[0]?.cosine ?? 0
  return {
    results: found.map((one) => resultJson(one, { ...one, boost: 0 }, false, momentJson(one))),
    info: {
      boosted: false,
      n_candidates: found.length,
      original_top_score: best,
      boosted_top_score: best,
    },
  }
}

/**
 * Orders by all heads except the lexical one, since vectors have no words; by cosine alone while the regime forces exact answers.
 */
async function order(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  query: Float32Array,
  dense: Hits,
  among: PatternSet | undefined,
): Promise<{ pathway: 'exact' | 'attention'; scored: Scored[] }> {
  const { forceExact } = await pathwayPolicy(context, caller)
  if (forceExact || dense.labels.length === 0) return { pathway: 'exact', scored: inCosineOrder(dense) }
  const [learning, visible] = await Promise.all([
    context.learned.get(caller.spaceId, caller.engineVersion),
    visibleTo(context, caller),
  ])
  const scorings = index.shardsFor(query.length).flatMap((shard) => {
    const seen = asSeenBy(shard, query)
    return seen === undefined
      ? []
      : [shardScoringOf(context, caller, { index, shard, visible, views: [seen], learning })]
  })
  const scored = await scoreCandidates(context, caller, {
    index,
    shards: await Promise.all(scorings),
    learning,
    dense,
    weights: learning.state.headWeights,
    visible,
    among,
  })
  return { pathway: 'attention', scored }
}

function rankByCosine({ idx, cosine }: Scored, scored: readonly Scored[]): number {
  let rank = 0
  for (const other of scored) {
    if (other.cosine > cosine || (other.cosine === cosine && other.idx < idx)) rank++
  }
  return rank
}

function resultJson(
  payload: Pick<Payload, 'id' | 'text' | 'metadata' | 'external_id'>,
  { cosine, boost }: Pick<Scored, 'cosine' | 'boost'>,
  isReranked: boolean,
  moment = '',
): string {
  const { id, text, metadata } = payload
  const confidence = Math.max(0, Math.min(1, cosine + boost))
  const shown = metadata ?? (text === null ? 'null' : '{}')
  return `{"confidence":${confidence},"metadata":${shown},"was_reranked":${isReranked},"semantic_score":${cosine},"pattern_id":"${id}"${ownNameJson(payload)}${moment}}`
}
