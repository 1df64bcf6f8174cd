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
  /** What was searched with. */
  query: string | Float32Array
  pathway: Pathway
  /** What was answered, best first. */
  patterns: readonly AnsweredPattern[]
  /** What was looked for: among which patterns (undefined: all), and how near they had to be. */
  search: { among?: PatternSet | undefined; minScore: number }
  /** The greatest cosine that was found; undefined for nothing. */
  nearest: number | undefined
  /** The query's embedding, where it is a text. */
  asked?: Float32Array | undefined
  /** Whether it is no use of the patterns that their accesses count: what is learned of it is learned all the same. */
  isUncounted?: boolean | undefined
}

/** Records what a search answered, off its path: which patterns were used, how surprising it was, and what it teaches. */
export function recordAnswer(
  context: Recording,
  caller: Pick<Caller, 'spaceId' | 'user' | 'afterAnswer'>,
  answer: Answer,
): void {
  const record = () => recordNow(context, caller, answer)
  if (caller.afterAnswer === undefined) record()
  else caller.afterAnswer(record)
}

function recordNow(
  { accesses, learning, prefetcher, clock }: Recording,
  { spaceId, user }: Pick<Caller, 'spaceId' | 'user'>,
  { query, pathway, patterns, search, nearest, asked, isUncounted }: Answer,
): void {
  const found = patterns.map(({ idx }) => idx)
  if (!isUncounted) accesses.record(spaceId, found)
  // What comes next is learned of top hits.
  prefetcher.warmLater(spaceId, found.slice(0, 1))
  const isWhole = search.among === undefined && search.minScore <= -1
  learning.record(spaceId, {
    kind: 'answer',
    at: clock.now().getTime(),
    // What the nearest of all is, a part does not tell; in an empty space nothing can surprise.
    surprise: isWhole && nearest !== undefined ? geometricSurprise(nearest) : null,
    actor: actorOf(spaceId, user),
    query: queryHash(query),
    pathway,
    patterns,
    asked,
  })
}

/** Records how surprising a search was that answers with no patterns. In an empty space there is nothing to be surprised. */
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

/** Between an end user whom a caller is bound to and the actor that a request of theirs names. Neither name has it. */
export const ofSubject = '\0'

/**
 * Who uses a space, as learning knows them: a hash (hex), since the name may be a person's. Actors of an end user begin with
 * the hash of that one and go on with their own, so that whoever erases the end user finds all of them.
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
