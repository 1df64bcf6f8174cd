import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import { seenBy } from './narrow.ts'

/**
 * The patterns that a caller may see who is bound to an end user; undefined for one who sees the whole space. What is told of a
 * space on the whole, such as a mean over its patterns, tells of others too: a bound caller gets it of these alone.
 */
export async function visibleTo(
  context: Pick<MemoryContext, 'metadata' | 'queries' | 'clock'>,
  caller: Pick<Caller, 'spaceId' | 'spaceVersion' | 'signal' | 'subject'>,
): Promise<PatternSet | undefined> {
  return caller.subject && findMatching(context, caller, seenBy(undefined, caller.subject))
}
