import { ValidationError } from '../../catalogue/errors.ts'
import { JsonText } from '../../catalogue/json-text.ts'
import { limits } from '../../catalogue/limits.ts'
import type { Caller, Input, Output } from '../../catalogue/operation.ts'
import type { Hits } from '../../engine/kernels/kernels.ts'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { noteAnswer } from '../learning/note-use.ts'
import { answered, type Payload } from '../patterns/payloads.ts'
import * as store from '../store.ts'
import { searchVectors } from './search-vectors.ts'
import { searchByPathway } from './vector-pathways.ts'
import type { BatchRetrieveVectors, QueryVectors, VectorPathway } from './vector-schema.ts'
import { toNativeDimension } from './vector-value.ts'

/** Patterns whose values are read at a time: with the longest values about 90 MB of text. */
const patternsAtOnce = 1_000

/** Values of the nearest keys, by the pathway that is wanted. */
export async function queryVectors(
  context: MemoryContext,
  caller: Caller,
  body: Input<typeof QueryVectors>['body'],
): Promise<JsonText<Output<typeof QueryVectors>>> {
  const started = performance.now()
  const { embedding, top_k, return_native_dim, filter, min_similarity, pathway: wanted } = body
  const { spaceId } = caller
  const index = await context.spaces.get(spaceId, caller.spaceVersion)
  const among = filter && (await store.listMatching(context.queries, spaceId, filter, false))
  const search = { k: top_k, minScore: min_similarity ?? -1, among }
  const answer = await searchByPathway(context, caller, index, embedding, search, wanted)
  const { hits: found, pathway, nearest } = answer
  const payloads = await context.payloads.find(spaceId, index, found.labels, { value: true })
  noteAnswer(context, caller, {
    query: embedding,
    pathway,
    patterns: answered(found, payloads),
    search,
    nearest,
  })
  const results = resultsJson(found, payloads, pathway, return_native_dim ? embedding.length : undefined)
  return new JsonText(`{"results":${results},"latency_ms":${performance.now() - started}}`)
}

/** Values of the nearest keys, for each of several queries. @throws ValidationError for an answer over its limit */
export async function batchRetrieveVectors(
  context: MemoryContext,
  caller: Caller,
  { queries }: Input<typeof BatchRetrieveVectors>['body'],
): Promise<JsonText<Output<typeof BatchRetrieveVectors>>> {
  const index = await context.spaces.get(caller.spaceId, caller.spaceVersion)
  const hits = await searchEach(context, caller, index, queries)
  const parts = ['{"results":[']
  let bytes = 0
  for (const { part, labels } of inParts(hits)) {
    const payloads = await context.payloads.find(caller.spaceId, index, labels, { value: true })
    for (const each of part) {
      context.accesses.record(
        caller.spaceId,
        each.labels.filter((idx) => payloads.has(idx)),
      )
      const json = resultsJson(each, payloads, 'exact')
      bytes += json.length
      if (bytes > limits.batchAnswerBytes) throw answerTooLarge(queries.length)
      parts.push(parts.length === 1 ? json : `,${json}`)
    }
  }
  return new JsonText(...parts, ']}')
}

type BatchQuery = Input<typeof BatchRetrieveVectors>['body']['queries'][number]

/** Queries of one length go through the index together. */
async function searchEach(
  context: Pick<MemoryContext, 'compute' | 'queries' | 'earlySearches'>,
  caller: Caller,
  index: SpaceIndex,
  queries: readonly BatchQuery[],
): Promise<Hits[]> {
  const found: Hits[] = []
  const groups = Map.groupBy(queries.keys(), (at) => (queries[at] as BatchQuery).embedding.length)
  for (const places of groups.values()) {
    const group = places.map((at) => queries[at] as BatchQuery)
    const { hits } = await searchVectors(
      context,
      caller,
      index,
      group.map(({ embedding }) => embedding),
      { k: Math.max(...group.map(({ top_k }) => top_k)), minScore: -1 },
    )
    for (const [i, at] of places.entries()) {
      const { labels, scores } = hits[i] as Hits
      const { top_k } = group[i] as BatchQuery
      found[at] = { labels: labels.subarray(0, top_k), scores: scores.subarray(0, top_k) }
    }
  }
  return found
}

/** Cuts the hits where they name too many patterns for their values to be in memory at once. */
function* inParts(hits: readonly Hits[]): Generator<{ part: Hits[]; labels: number[] }> {
  let part: Hits[] = []
  let labels = new Set<number>()
  for (const each of hits) {
    const others = each.labels.filter((idx) => !labels.has(idx))
    if (labels.size + others.length > patternsAtOnce && part.length > 0) {
      yield { part, labels: [...labels] }
      part = []
      labels = new Set(each.labels)
    } else for (const idx of others) labels.add(idx)
    part.push(each)
  }
  yield { part, labels: [...labels] }
}

function answerTooLarge(queries: number): ValidationError {
  const mebibytes = limits.batchAnswerBytes / 1024 / 1024
  return ValidationError.rule(
    ['body', 'queries'],
    `the answer would be larger than ${mebibytes} MiB; send fewer queries or a smaller top_k`,
    queries,
  )
}

/**
 * JSON text of a list of results; a pattern that is gone by now is left out. Put together by `+`, which copies nothing
 * until the whole is sent.
 */
function resultsJson(
  { labels, scores }: Hits,
  payloads: ReadonlyMap<number, Payload>,
  pathway: VectorPathway,
  nativeDimensions?: number,
): string {
  let results = ''
  labels.forEach((idx, i) => {
    const payload = payloads.get(idx)
    if (payload?.value == null) return
    const value =
      nativeDimensions === undefined
        ? payload.value
        : toNativeDimension(payload.value, payload.source_dim, nativeDimensions)
    const confidence = Math.max(0, scores[i] as number)
    results += `${results === '' ? '' : ','}{"value":${value},"confidence":${confidence},"pathway":"${pathway}","pattern_id":"${payload.id}"}`
  })
  return `[${results}]`
}
