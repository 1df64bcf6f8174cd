import { parameters } from '@memory/engine/parameters'
import { predictNext, startDistribution } from '@memory/engine/successor'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import { recordSearch } from '../learning/record-use.ts'
import { takeTexts } from '../recall/take-texts.ts'
import { searchTexts } from '../texts/search-texts.ts'
import type { PredictTexts } from './schema.ts'
import { textOrder, textsIn } from './text-order.ts'

/** Texts that are likely to be asked for after a query, likeliest first. */
export async function predictTexts(
  context: MemoryContext,
  caller: Caller,
  { query, top_k, filter, read_only }: Input<typeof PredictTexts>['body'],
): Promise<Output<typeof PredictTexts>> {
  const { spaceId } = caller
  const [embedding, index, { transitions }] = await Promise.all([
    context.compute.embed(caller, query, 'search'),
    context.spaces.get(spaceId, caller.spaceVersion),
    context.learned.get(spaceId, caller.engineVersion),
  ])
  const among = filter && (await findMatching(context, caller, filter))
  const k = parameters.successor.nearest
  const hits = await searchTexts(context, caller, index, embedding, { k, minScore: -1, among })
  // A filtered search does not tell how near the nearest pattern of the space is.
  if (among === undefined && !read_only) recordSearch(context, spaceId, hits.scores[0])
  const texts = await textsIn(context, caller, index)
  // Only patterns that may be in the answer take part, so that vectors and filtered-out texts get no share of the probability.
  const order = textOrder(index, texts, among)
  const likely = predictNext(startDistribution(hits), transitions, order, context.clock.now().getTime())
  const taken = await takeTexts(context, spaceId, index, likely, top_k)
  const predictions = taken.map(({ scored: { strength }, payload: { text, id, external_id } }) => ({
    text,
    pattern_id: id,
    ...(external_id !== null && { external_id }),
    strength,
  }))
  return { predictions }
}
