import { believe } from '@memory/engine/belief/believe'
import { mostProbable } from '@memory/engine/belief/model'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { recordSearch } from '../learning/record-use.ts'
import { findNearestParts } from '../texts/nearest-texts.ts'
import { encoderFor } from './encoder.ts'
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
  const statement = { text: query, vector }
  const { texts, nearestWhole } = await findNearestParts(context, caller, index, statement)
  if (!read_only) recordSearch(context, caller.spaceId, nearestWhole)
  const patterns = index.shard(context.compute.dimensions)?.size ?? texts.length
  const probabilities = await believe(statement, texts, patterns, encoderFor(context, caller))
  const classification = mostProbable(probabilities)
  return {
    classification,
    probabilities,
    best_match_id: texts[0]?.id ?? null,
    confidence: probabilities[classification],
  }
}
