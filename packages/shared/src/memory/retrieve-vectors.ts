import { JsonText } from '../catalogue/json-text.ts'
import type { Caller, Input, Output } from '../catalogue/operation.ts'
import type { Hits } from '../engine/kernels/kernels.ts'
import type { MemoryContext } from './context.ts'
import { noteAnswer } from './learning/note-use.ts'
import { answered, type Payload } from './payloads.ts'
import { searchVectors } from './search-vectors.ts'
import * as store from './store.ts'
import type { QuerySemantic, RetrieveVectors } from './vector-schema.ts'

type Request = Input<typeof QuerySemantic>['body'] & Partial<Input<typeof RetrieveVectors>['body']>

/** Metadata and scores of the nearest keys. */
export async function retrieveVectors(
  context: MemoryContext,
  caller: Caller,
  { embedding, top_k, filter, min_similarity }: Request,
): Promise<JsonText<Output<typeof RetrieveVectors>>> {
  const started = performance.now()
  const { spaceId } = caller
  const index = await context.spaces.get(spaceId, caller.spaceVersion)
  const among = filter && (await store.listMatching(context.queries, spaceId, filter, false))
  const search = { k: top_k, minScore: min_similarity ?? -1, among }
  const { hits, compared } = await searchVectors(context, caller, index, [embedding], search)
  const { labels, scores } = hits[0] as Hits
  const payloads = await context.payloads.find(spaceId, index, labels, { value: false })
  const isWhole = among === undefined && min_similarity == null
  noteAnswer(context, caller, {
    query: embedding,
    pathway: 'exact',
    patterns: answered({ labels, scores }, payloads),
    nearest: isWhole ? scores[0] : null,
  })
  const results = Array.from(labels, (idx, i) => resultJson(payloads.get(idx), scores[i] as number))
  const topScore = scores[0] ?? 0
  const info = {
    boosted: false,
    n_candidates: compared,
    original_top_score: topScore,
    boosted_top_score: topScore,
  }
  return new JsonText(
    `{"results":[${results.filter((json) => json !== undefined).join(',')}],"info":${JSON.stringify(info)},"latency_ms":${performance.now() - started}}`,
  )
}

/** Undefined for a pattern that is gone by now. */
function resultJson(payload: Payload | undefined, score: number): string | undefined {
  if (payload === undefined) return undefined
  const metadata = payload.metadata ?? (payload.text === null ? 'null' : '{}')
  return `{"confidence":${Math.max(0, score)},"metadata":${metadata},"was_reranked":false,"semantic_score":${score},"pattern_id":"${payload.id}"}`
}
