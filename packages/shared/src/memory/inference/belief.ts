import type { Caller, Input, Output } from '../../catalogue/operation.ts'
import { beliefFeatures, type Candidate } from '../../engine/belief/features.ts'
import { classify, mostProbable } from '../../engine/belief/model.ts'
import { parameters } from '../../engine/parameters.ts'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { searchTexts } from '../search-texts.ts'
import * as store from '../store.ts'
import type { ClassifyBelief } from './schema.ts'

/** Whether the space's texts state what a text states, put together or singly. */
export async function classifyBelief(
  context: MemoryContext,
  caller: Caller,
  { query }: Input<typeof ClassifyBelief>['body'],
): Promise<Output<typeof ClassifyBelief>> {
  const [vector, index] = await Promise.all([
    context.compute.embed(caller, query, 'search'),
    context.spaces.get(caller.spaceId, caller.spaceVersion),
  ])
  const candidates = await findCandidates(context, caller, index, vector)
  const [best] = candidates
  if (best === undefined) {
    return {
      classification: 'novel',
      probabilities: { exact_match: 0, composition: 0, novel: 1 },
      best_match_id: null,
      confidence: 1,
    }
  }
  const patterns = index.shard(context.compute.dimensions)?.size ?? candidates.length
  const probabilities = classify(beliefFeatures({ vector, text: query }, candidates, patterns))
  const classification = mostProbable(probabilities)
  return { classification, probabilities, best_match_id: best.id, confidence: probabilities[classification] }
}

/** The nearest texts, best first; one that is deleted meanwhile is left out. */
async function findCandidates(
  context: MemoryContext,
  caller: Caller,
  index: SpaceIndex,
  query: Float32Array,
): Promise<(Candidate & { id: string })[]> {
  const { labels, scores } = await searchTexts(context, caller, index, query, {
    k: parameters.belief.candidates,
    minScore: -1,
  })
  if (labels.length === 0) return []
  const [keys, payloads] = await Promise.all([
    store.findKeys(context.queries, caller.spaceId, Array.from(labels)),
    context.payloads.find(caller.spaceId, index, labels, { value: false }),
  ])
  const found = Array.from(labels, (idx, i) => {
    const vector = keys.get(idx)
    const payload = payloads.get(idx)
    if (vector === undefined || payload?.text == null) return undefined
    return { id: payload.id, text: payload.text, vector, cosine: scores[i] as number }
  })
  return found.filter((candidate) => candidate !== undefined)
}
