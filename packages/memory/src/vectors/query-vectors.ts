import type { Hits } from '@memory/engine/kernels/kernels'
import { type JsonStream, JsonText } from '@memory/shared/catalogue/json-text'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { beginLongAnswer } from '@memory/shared/platform/asker'
import type { MemoryContext } from '../context.ts'
import { findMatching, findMatchingEach } from '../filter/find-matching.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { recordAnswer } from '../learning/record-use.ts'
import { type Moment, momentJson, momentOf, searchAt } from '../patterns/past-store.ts'
import { answered, type Payload } from '../patterns/pattern-cache.ts'
import { batchAnswer } from './batch-answer.ts'
import { resultJson } from './result-json.ts'
import { searchVectors } from './search-vectors.ts'
import { searchByPathway } from './vector-pathways.ts'
import type { BatchRetrieveVectors, QueryVectors, VectorPathway } from './vector-schema.ts'
import { toNativeDimension } from './vector-value.ts'

/** The vector query operation: values of the nearest keys, by the pathway asked for. */
export async function queryVectors(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof QueryVectors>['body'],
): Promise<JsonText<Output<typeof QueryVectors>>> {
  const started = performance.now()
  const moment = momentOf(body)
  if (moment !== undefined) return queryThen(context, caller, body, moment)
  const { embedding, top_k, return_native_dim, filter, min_similarity, pathway: wanted, read_only } = body
  const { spaceId } = caller
  const index = await context.spaces.get(spaceId, caller.spaceVersion)
  const among = filter && (await findMatching(context, caller, filter))
  const search = { k: top_k, minScore: min_similarity ?? -1, among }
  const answer = await searchByPathway(context, caller, index, embedding, search, wanted)
  const { hits: found, pathway, nearest } = answer
  await beginLongAnswer(found.labels.length)
  const payloads = await context.payloads.find(spaceId, index, found.labels, { value: true })
  if (!read_only) {
    const patterns = answered(found, payloads)
    recordAnswer(context, caller, { query: embedding, pathway, patterns, search, nearest })
  }
  const results = resultsJson(found, payloads, pathway, return_native_dim ? embedding.length : undefined)
  return new JsonText('{"results":[', ...results, `],"latency_ms":${performance.now() - started}}`)
}

/** With `as_of` or `include_superseded`: past patterns, or invalid ones too. */
async function queryThen(
  { queries, compute: { modelId } }: MemoryContext,
  caller: Caller,
  { embedding, top_k, return_native_dim, filter, min_similarity }: Input<typeof QueryVectors>['body'],
  moment: Moment,
): Promise<JsonText<Output<typeof QueryVectors>>> {
  const started = performance.now()
  const search = {
    moment,
    modelId,
    query: embedding,
    k: top_k,
    minScore: min_similarity ?? -1,
    textOnly: false,
    filter,
  }
  await beginLongAnswer(top_k)
  const found = await searchAt(queries, caller, { ...search, values: true })
  const results = found.map((one, i) => {
    const value = one.value as string
    const shown = return_native_dim ? toNativeDimension(value, one.source_dim, embedding.length) : value
    return `${i === 0 ? '' : ','}${resultJson(one, shown, one.cosine, 'exact', momentJson(one))}`
  })
  return new JsonText('{"results":[', ...results, `],"latency_ms":${performance.now() - started}}`)
}

/**
 * The batch operation: values of the nearest keys for each of several queries. @throws ValidationError if the answer is too large
 */
export async function batchRetrieveVectors(
  context: MemoryContext,
  caller: Caller,
  { queries }: Input<typeof BatchRetrieveVectors>['body'],
): Promise<JsonText<Output<typeof BatchRetrieveVectors>> | JsonStream<Output<typeof BatchRetrieveVectors>>> {
  const index = await context.spaces.get(caller.spaceId, caller.spaceVersion)
  return batchAnswer(context, caller, index, await searchEach(context, caller, index, queries))
}

type BatchQuery = Input<typeof BatchRetrieveVectors>['body']['queries'][number]

/** Searches for each query; those of one length with the same filter in one pass over the index. */
async function searchEach(
  context: Pick<MemoryContext, 'compute' | 'queries' | 'speculativeSearches' | 'metadata' | 'clock'>,
  caller: Caller,
  index: SpaceIndex,
  queries: readonly BatchQuery[],
): Promise<Hits[]> {
  const found: Hits[] = []
  const groups = Map.groupBy(queries.keys(), (at) => {
    const { embedding, filter } = queries[at] as BatchQuery
    return filter === undefined ? embedding.length : `${embedding.length} ${JSON.stringify(filter)}`
  })
  const filters = [...groups.values()].map(([at]) => queries[at as number]?.filter)
  const each = findMatchingEach(
    context,
    caller,
    filters.filter((filter) => filter !== undefined),
  )
  for (const places of groups.values()) {
    const group = places.map((at) => queries[at] as BatchQuery)
    const among = group[0]?.filter && ((await each.next()).value as PatternSet)
    const { hits } = await searchVectors(
      context,
      caller,
      index,
      group.map(({ embedding }) => embedding),
      { k: Math.max(...group.map(({ top_k }) => top_k)), minScore: -1, among },
    )
    for (const [i, at] of places.entries()) {
      const { labels, scores } = hits[i] as Hits
      const { top_k } = group[i] as BatchQuery
      found[at] = { labels: labels.subarray(0, top_k), scores: scores.subarray(0, top_k) }
    }
  }
  return found
}

/** Results as JSON text in parts, without patterns that are gone by now. */
function resultsJson(
  { labels, scores }: Hits,
  payloads: ReadonlyMap<number, Payload>,
  pathway: VectorPathway,
  nativeDimensions?: number,
): string[] {
  const results: string[] = []
  labels.forEach((idx, i) => {
    const payload = payloads.get(idx)
    if (payload?.value == null) return
    const value =
      nativeDimensions === undefined
        ? payload.value
        : toNativeDimension(payload.value, payload.source_dim, nativeDimensions)
    const json = resultJson(payload, value, scores[i] as number, pathway)
    results.push(results.length === 0 ? json : `,${json}`)
  })
  return results
}
