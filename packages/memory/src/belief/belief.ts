import { beliefFeatures } from '@memory/engine/belief/features'
import { classify, mostProbable } from '@memory/engine/belief/model'
import { saysAnother } from '@memory/engine/belief/says-another'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { recordSearch } from '../learning/record-use.ts'
import { findNearestTexts } from '../texts/nearest-texts.ts'
import type { ClassifyBelief } from './schema.ts'

/** The belief operation: whether one of the space's texts states what the query states, or several together do, or none. */
export async function classifyBelief(
  context: MemoryContext,
  caller: Caller,
  { query, read_only }: Input<typeof ClassifyBelief>['body'],
): Promise<Output<typeof ClassifyBelief>> {
  const [vector, index] = await Promise.all([
    context.compute.embed(caller, query, 'search'),
    context.spaces.get(caller.spaceId, caller.spaceVersion),
  ])
  const candidates = await findNearestTexts(context, caller, index, vector)
  if (!read_only) recordSearch(context, caller.spaceId, candidates[0]?.cosine)
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
  // A query that says something else than the most similar text is not an exact match, however similar they are.
  if (saysAnother(query, best.text, (character) => context.compute.knows(character))) {
    probabilities.novel += probabilities.exact_match
    probabilities.exact_match = 0
  }
  const classification = mostProbable(probabilities)
  return { classification, probabilities, best_match_id: best.id, confidence: probabilities[classification] }
}
