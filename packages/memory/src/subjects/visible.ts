import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import { seenBy } from './narrow.ts'

/**
 * The patterns that a caller who is bound to an end user may see; undefined for a caller who sees the whole space. Statistics
 * over a space, such as a mean over its patterns, would reveal something about other end users' patterns: for a bound caller they
 * are computed over this set alone.
 */
export async function visibleTo(
  context: Pick<MemoryContext, 'metadata' | 'queries' | 'clock'>,
  caller: Pick<Caller, 'spaceId' | 'spaceVersion' | 'signal' | 'subject'>,
): Promise<PatternSet | undefined> {
  return caller.subject && findMatching(context, caller, seenBy(undefined, caller.subject))
}
