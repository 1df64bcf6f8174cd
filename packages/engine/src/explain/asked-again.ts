import { askedAgain } from '../recall/asked-again.ts'
import type { Candidate } from './select.ts'

/** What a query found, by whether it may answer the query. */
export interface Sorted<One> {
  answers: One[]
  /** Those that only ask the same as the query. */
  asked: One[]
}

/**
 * Sorts out texts that only ask what the query asks. They are nearer to it than any answer and answer nothing, as when a
 * question was stored as it was said, and its answer after it.
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
