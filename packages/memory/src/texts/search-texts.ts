import type { Hits } from '@memory/engine/kernels/kernels'
import { JsonText } from '@memory/shared/catalogue/json-text'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { beginLongAnswer } from '@memory/shared/platform/asker'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { ShardSearch } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { recordAnswer } from '../learning/record-use.ts'
import { type FoundAt, type Moment, momentJson, momentOf, searchAt } from '../patterns/past-store.ts'
import { answered, ownNameJson, type Payload } from '../patterns/pattern-cache.ts'
import type { RetrieveTexts } from '../schema.ts'
import { rescore } from '../vectors/rescore.ts'

/** The retrieve operation: text patterns in cosine order. */
export async function retrieveTexts(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof RetrieveTexts>['body'],
): Promise<JsonText<Output<typeof RetrieveTexts>>> {
  const started = performance.now()
  const moment = momentOf(body)
  const results =
    moment === undefined
      ? await retrieveNow(context, caller, body)
      : await retrieveThen(context, caller, body, moment)
  return new JsonText(`{"results":[${results.join(',')}],"latency_ms":${performance.now() - started}}`)
}

/** Results as JSON texts, by a search of the index. */
async function retrieveNow(
  context: MemoryContext,
  caller: Caller,
  { query, top_k, filter, min_similarity, explain, read_only }: Input<typeof RetrieveTexts>['body'],
): Promise<string[]> {
  const { spaceId } = caller
  const [embedding, index] = await Promise.all([
    context.compute.embed(caller, query, 'search'),
    context.spaces.get(spaceId, caller.spaceVersion),
  ])
  const among = filter && (await findMatching(context, caller, filter))
  const search = { k: top_k, minScore: min_similarity ?? -1, among }
  const hits = await searchTexts(context, caller, index, embedding, search)
  await beginLongAnswer(hits.labels.length)
  const payloads = await context.payloads.find(spaceId, index, hits.labels, { value: false })
  if (!read_only) {
    const patterns = answered(hits, payloads)
    const nearest = hits.scores[0]
    recordAnswer(context, caller, { query, pathway: 'exact', patterns, search, nearest, asked: embedding })
  }
  const results = Array.from(hits.labels, (idx, i) =>
    resultJson(payloads.get(idx), hits.scores[i] as number, explain),
  )
  return results.filter((json) => json !== undefined)
}

/** Searches texts by cosine as they were at a time, or also invalid ones. Done in the database, since the index has neither. */
export async function searchTextsAt(
  { compute, queries }: Pick<MemoryContext, 'compute' | 'queries'>,
  caller: Caller,
  {
    query,
    top_k,
    filter,
    min_similarity,
  }: Pick<Input<typeof RetrieveTexts>['body'], 'query' | 'top_k' | 'filter' | 'min_similarity'>,
  moment: Moment,
): Promise<FoundAt[]> {
  const embedding = await compute.embed(caller, query, 'search')
  const minScore = min_similarity ?? -1
  const search = { modelId: compute.modelId, query: embedding, k: top_k, minScore, textOnly: true, filter }
  await beginLongAnswer(top_k)
  return searchAt(queries, caller, { ...search, moment })
}

/** Results of `searchTextsAt` as JSON texts. */
async function retrieveThen(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof RetrieveTexts>['body'],
  moment: Moment,
): Promise<string[]> {
  const found = await searchTextsAt(context, caller, body, moment)
  return found.map((one) => {
    const scores = body.explain ? { semantic: one.cosine, total: one.cosine } : undefined
    return textResultJson({ ...one, text: one.text as string }, one.cosine, {
      scores,
      moment: momentJson(one),
    })
  })
}

function resultJson(
  payload: Payload | undefined,
  similarity: number,
  isExplained: boolean,
): string | undefined {
  if (payload?.text == null) return undefined
  const scores = isExplained ? { semantic: similarity, total: similarity } : undefined
  return textResultJson({ ...payload, text: payload.text }, similarity, { scores })
}

/** Optional fields of a result. */
export interface ResultDetails {
  /** The passage that is nearer to the query than the whole text. */
  passage?: { start: number; end: number } | undefined
  /** What each part of the ranking added to the score, and the total. */
  scores?: Readonly<Record<string, number>> | undefined
  /** Further fields as JSON text, beginning with a comma. */
  moment?: string | undefined
}

/** JSON text of one result. */
export function textResultJson(
  { text, ...payload }: Pick<Payload, 'id' | 'metadata' | 'external_id'> & { text: string },
  similarity: number,
  { passage, scores, moment = '' }: ResultDetails = {},
): string {
  const part = passage === undefined ? '' : `,"passage":{"start":${passage.start},"end":${passage.end}}`
  const explained = scores === undefined ? '' : `,"scores":${JSON.stringify(scores)}`
  const { id, metadata } = payload
  return `{"text":${JSON.stringify(text)},"metadata":${metadata ?? '{}'},"similarity":${similarity},"pattern_id":"${id}"${ownNameJson(payload)}${moment}${part}${explained}}`
}

/** The text patterns nearest to an embedding, by exact cosine. @param search.among undefined: all */
export async function searchTexts(
  { compute, queries }: Pick<MemoryContext, 'compute' | 'queries'>,
  caller: Caller,
  index: SpaceIndex,
  query: Float32Array,
  {
    k,
    exactK,
    minScore,
    among,
  }: Pick<ShardSearch, 'k' | 'exactK' | 'minScore'> & { among?: PatternSet | undefined },
): Promise<Hits> {
  const shard = index.shard(compute.dimensions)
  if (shard === undefined || shard.size === 0 || among?.count === 0) {
    return { labels: new Int32Array(), scores: new Float64Array() }
  }
  const search = {
    // k is not limited to the shard's size: the shard may grow before the search runs.
    k,
    exactK,
    minScore,
    textOnly: true,
    allowed: among && index.allow(shard, among).bits,
  }
  const found = await compute.search(caller, shard, query, search)
  const [hits] = await rescore(queries, caller.spaceId, shard, [query], [found], search)
  return hits as Hits
}
