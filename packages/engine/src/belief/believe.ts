import { isPartDenied } from './clauses.ts'
import { beliefFeatures, type Candidate, type Statement } from './features.ts'
import { type Belief, classify } from './model.ts'
import { saysAnother } from './says-another.ts'

/**
 * Least probability of a composition whose parts are looked at, which takes longer than all else. Denying a less probable one
 * would move less than this to "novel". Chosen without a measurement.
 */
const compositionMin = 0.05

/**
 * Probabilities that a query states what a stored text does, puts several of them together, or says something new. A query that
 * says something else than the text that it looks like is new, however similar they are; and so is one put together of several
 * texts if one of these says something else than its part.
 * @param candidates the nearest texts, best first
 * @param patterns how many patterns the space has
 * @param knows whether the encoder knows a character
 * @returns their sum is 1; of no texts everything is new
 */
export function believe(
  query: Statement,
  candidates: readonly Candidate[],
  patterns: number,
  knows: (character: string) => boolean,
): Belief {
  const [best] = candidates
  if (best === undefined) return { exact_match: 0, composition: 0, novel: 1 }
  const { exact_match, composition, novel } = classify(beliefFeatures(query, candidates, patterns))
  const texts = candidates.map(({ text }) => text)
  const stated = saysAnother(query.text, best.text, knows) ? 0 : exact_match
  const isDenied = composition >= compositionMin && isPartDenied(query.text, texts, knows)
  const composed = isDenied ? 0 : composition
  return {
    exact_match: stated,
    composition: composed,
    novel: novel + (exact_match - stated) + (composition - composed),
  }
}
