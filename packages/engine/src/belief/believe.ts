import { readComparable } from '../contradiction/contradiction.ts'
import { parameters } from '../parameters.ts'
import { clausesOf, exchangesIn, isPartDenied } from './clauses.ts'
import { areFarForOneWord, exchangedWord } from './exchanged-word.ts'
import { beliefFeatures, type Candidate, type Statement } from './features.ts'
import { type Belief, classify } from './model.ts'
import { saysAnother } from './says-another.ts'

/**
 * Least probability of a composition whose parts are looked at, which takes longer than all else. Denying a less probable one
 * would move less than this to "novel". Chosen without a measurement.
 */
const compositionMin = 0.05

/** What is asked of the encoder about texts that it has not embedded yet. */
export interface Encoder {
  /** Whether it knows a character. */
  knows(character: string): boolean
  /** The cosine of the embeddings of two texts. */
  cosineOf(one: string, other: string): Promise<number>
}

/**
 * Probabilities that a query states what a stored text does, puts several of them together, or says something new. A query that
 * says something else than the text that it looks like is new, however similar they are; and so is one put together of several
 * texts if one of these says something else than its part.
 * @param candidates the nearest texts, best first
 * @param patterns how many patterns the space has
 * @returns their sum is 1; of no texts everything is new
 */
export async function believe(
  query: Statement,
  candidates: readonly Candidate[],
  patterns: number,
  encoder: Encoder,
): Promise<Belief> {
  const [best] = candidates
  if (best === undefined) return { exact_match: 0, composition: 0, novel: 1 }
  const { exact_match, composition, novel } = classify(beliefFeatures(query, candidates, patterns))
  const texts = candidates.map(({ text }) => text)
  const isOther = saysAnother(query.text, best.text, encoder.knows) || hasOtherWord(query.text, best)
  const stated = isOther ? 0 : exact_match
  const isPartOther = composition >= compositionMin && (await hasOtherPart(query.text, texts, encoder))
  const composed = isPartOther ? 0 : composition
  return {
    exact_match: stated,
    composition: composed,
    novel: novel + (exact_match - stated) + (composition - composed),
  }
}

/**
 * Whether a statement that is put together of several texts says something else than one of them, or has a word for another of one
 * of these, and the encoder doesn't take them for the same. Of such words the first few are looked at, since each takes two
 * embeddings.
 */
async function hasOtherPart(
  statement: string,
  texts: readonly string[],
  { knows, cosineOf }: Encoder,
): Promise<boolean> {
  const clauses = clausesOf(statement, texts)
  if (isPartDenied(clauses, knows)) return true
  for (const { told, exchanged } of exchangesIn(statement, clauses).slice(0, parameters.belief.sentences))
    if (hasOtherWord(exchanged, { text: told, cosine: await cosineOf(exchanged, told) })) return true
  return false
}

/** Whether a statement has one word for another of a text, and the encoder doesn't take them for the same. */
function hasOtherWord(statement: string, { text, cosine }: Pick<Candidate, 'text' | 'cosine'>): boolean {
  const [stated, said] = [readComparable(statement), readComparable(text)]
  return exchangedWord(stated, said) !== undefined && areFarForOneWord(stated, said, cosine)
}
