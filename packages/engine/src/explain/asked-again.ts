import { askedAgain } from '../recall/asked-again.ts'
import type { Candidate } from './select.ts'

/** What a query found, the texts that may answer it apart from those that ask the same. */
export interface Sorted<One> {
  answers: One[]
  asked: One[]
}

/**
 * Tells texts that only ask, and say nothing beside the query, from all others. They are nearer to it than any answer, and
 * answer nothing: a question was stored as it was said, and its answer behind it.
 */
export function sortByAsking<One extends Pick<Candidate, 'text' | 'cosine'>>(
  query: string,
  candidates: readonly One[],
): Sorted<One> {
  const isAsked = askedAgain(query)
  const [answers, asked]: [One[], One[]] = [[], []]
  for (const one of candidates) (isAsked(one) === undefined ? answers : asked).push(one)
  return { answers, asked }
}
