import { hash } from 'node:crypto'
import type { Pathway } from '@memory/engine/learning/state'
import type { AnsweredPattern } from '@memory/engine/learning/trace'
import { geometricSurprise } from '@memory/engine/surprise'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { PatternSet } from '../index/pattern-set.ts'

type Recording = Pick<MemoryContext, 'accesses' | 'learning' | 'prefetcher' | 'clock'>

/** An answer to a search. */
export interface Answer {
  /** The query, text or vector. */
  query: string | Float32Array
  pathway: Pathway
  /** The patterns of the answer, best first. */
  patterns: readonly AnsweredPattern[]
  /** How the search was restricted: to which patterns (undefined: all), and by which least cosine. */
  search: { among?: PatternSet | undefined; minScore: number }
  /** The greatest cosine found by that search; undefined if it found nothing. */
  nearest: number | undefined
  /** The query's embedding, if the query is a text. */
  asked?: Float32Array | undefined
  /** Whether it is learned from, but does not count as an access of the patterns. */
  isUncounted?: boolean | undefined
}

/** Records an answer after it was sent: accesses of its patterns, a hint for prefetching, and an observation to learn from. */
export function recordAnswer(
  context: Recording,
  caller: Pick<Caller, 'spaceId' | 'engineVersion' | 'user' | 'afterAnswer'>,
  answer: Answer,
): void {
  const record = () => recordNow(context, caller, answer)
  if (caller.afterAnswer === undefined) record()
  else caller.afterAnswer(record)
}

function recordNow(
  { accesses, learning, prefetcher, clock }: Recording,
  { spaceId, engineVersion, user }: Pick<Caller, 'spaceId' | 'engineVersion' | 'user'>,
  { query, pathway, patterns, search, nearest, asked, isUncounted }: Answer,
): void {
  const found = patterns.map(({ idx }) => idx)
  if (!isUncounted) accesses.record(spaceId, found)
  // Transitions are learned between the first results of successive answers, so only the first one predicts the next.
  prefetcher.warmLater(spaceId, found.slice(0, 1))
  const isWhole = search.among === undefined
  learning.record(spaceId, {
    kind: 'answer',
    at: clock.now().getTime(),
    engineVersion,
    // A restricted search does not tell which pattern of the space is nearest; in an empty space nothing can surprise.
    surprise: isWhole && search.minScore <= -1 && nearest !== undefined ? geometricSurprise(nearest) : null,
    actor: actorOf(spaceId, user),
    query: queryHash(query),
    pathway,
    patterns,
    // What is asked of a part, one end user's say, is that one's, and would be left in the mean when they are erased.
    asked: isWhole ? asked : undefined,
  })
}

/** Records how surprising a search was whose answer has no patterns, such as a belief. An empty space can't be surprised. */
export function recordSearch(
  { learning, clock }: Pick<MemoryContext, 'learning' | 'clock'>,
  spaceId: string,
  nearest: number | undefined,
): void {
  if (nearest === undefined) return
  learning.record(spaceId, {
    kind: 'search',
    at: clock.now().getTime(),
    surprise: geometricSurprise(nearest),
  })
}

/**
 * Separates, in `Caller.user`, the end user whom the caller is bound to from the actor that the request names. No name contains
 * it.
 */
export const ofSubject = '\0'

/**
 * The id of an actor in learned data: a hash (hex) of the name, since that may be a person's. If the caller is bound to an end
 * user and the request names an actor, the end user's hash comes first, so that erasing the end user finds all their actors.
 */
export function actorOf(spaceId: string, user: string): string {
  const hashed = (name: string) => hash('sha256', `${spaceId}\0${name}`, 'hex').slice(0, 32)
  const [name = user, ...rest] = user.split(ofSubject)
  return rest.length === 0 ? hashed(name) : hashed(name) + hashed(user)
}

function queryHash(query: string | Float32Array): string {
  const bytes =
    typeof query === 'string' ? query : new Uint8Array(query.buffer, query.byteOffset, query.byteLength)
  return hash('sha256', bytes, 'base64url').slice(0, 16)
}
