import type { Feedback } from '@memory/engine/learning/learning-update'
import { parameters } from '@memory/engine/parameters'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { readPatternRef } from '../patterns/address.ts'
import { findPattern } from '../patterns/pattern-store.ts'
import { recall } from '../recall/recall.ts'
import { seenBy } from '../subjects/narrow.ts'
import { answeredBy } from './answered-by.ts'
import { actorOf } from './record-use.ts'
import type { GiveFeedback } from './schema.ts'

const { tracedRanks } = parameters.learning

/** The feedback operation. What was learned is in the database when this returns. @throws ApiError pattern_not_found */
export async function giveFeedback(
  context: MemoryContext,
  caller: Caller,
  { pattern_id, useful, query }: Input<typeof GiveFeedback>['body'],
): Promise<Output<typeof GiveFeedback>> {
  const { spaceId, user } = caller
  const ref = readPatternRef(pattern_id)
  const pattern = ref && (await findPattern(context.queries, spaceId, ref))
  if (pattern === undefined) throw new ApiError('pattern_not_found')
  await context.learning.learnNow(spaceId, {
    kind: 'feedback',
    at: context.clock.now().getTime(),
    actor: actorOf(spaceId, user),
    idx: pattern.idx,
    useful,
    answer: query == null ? undefined : await answerTo(context, caller, query, pattern.idx),
  })
  return { message: 'Feedback recorded' }
}

/** What a query recalls now, and also the pattern of the feedback, if it is only among the candidates further down. */
async function answerTo(
  context: MemoryContext,
  caller: Caller,
  query: string,
  idx: number,
): Promise<Feedback['answer']> {
  const { pathway, taken, scored } = await recall(context, caller, {
    query,
    k: tracedRanks,
    minSimilarity: -1,
    filter: caller.subject && seenBy(undefined, caller.subject),
  })
  const answer = taken.map(({ scored: one }) => one)
  const meant = scored.find((one) => one.idx === idx)
  const isAmong = answer.some((one) => one.idx === idx)
  const patterns = isAmong || meant === undefined ? answer : [...answer, meant]
  return { pathway, patterns: answeredBy(pathway, patterns) }
}
