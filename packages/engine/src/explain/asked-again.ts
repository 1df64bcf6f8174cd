import { parameters } from '../parameters.ts'
import { isOfAsking, isQuestion, onlyAsks, withoutSpeaker } from './asking.ts'
import { explanationLanguages } from './languages.ts'
import type { Candidate } from './select.ts'
import { contentWords } from './terms.ts'

const { sameMin } = parameters.explain

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
  const asking = { length: query.length, words: wordsOf(query), isQuestion: isQuestion(query) }
  const [answers, asked]: [One[], One[]] = [[], []]
  for (const one of candidates) (asksTheSame(one, asking) ? asked : answers).push(one)
  return { answers, asked }
}

/**
 * Whether a text asks and has no other word than the query, or means the same as its question and names nothing. "Did you know
 * that the password is hunter2?" asks as well, and tells.
 */
function asksTheSame(
  { text, cosine }: Pick<Candidate, 'text' | 'cosine'>,
  query: { length: number; words: ReadonlyMap<string, string>; isQuestion: boolean },
): boolean {
  // What is so much longer says something else.
  if (text.length > 2 * query.length + aroundMax || !onlyAsks(text)) return false
  const beyond = Array.from(wordsOf(withoutSpeaker(text))).filter(
    ([folded]) => !query.words.has(folded) && !isOfAsking(folded),
  )
  if (beyond.length === 0) return true
  return query.isQuestion && cosine >= sameMin && !beyond.some(([, word]) => naming.test(word))
}

/** Most that a short query's question may have around it: a speaker's name, "do you know", "please". */
const aroundMax = 80

/** A capital or a digit. */
const naming = /[\p{Lu}\p{N}]/u

/** The words of a text that are small ones in no language. */
function wordsOf(text: string): Map<string, string> {
  const [first = new Map<string, string>(), ...others] = explanationLanguages.map((language) =>
    contentWords(text, language),
  )
  return new Map([...first].filter(([folded]) => others.every((words) => words.has(folded))))
}
