import { believe, type Encoder } from '../belief/believe.ts'
import type { Statement } from '../belief/features.ts'
import { textNgrams } from '../belief/text-ngrams.ts'
import { kernels } from '../kernels/kernels.ts'
import { parameters } from '../parameters.ts'
import { isQuestion, questionOf } from './asking.ts'
import { namesAnother } from './names-another.ts'
import { asksOpposite } from './opposite.ts'
import type { Candidate } from './select.ts'

const { sameMin, answered, evidenceMin, quoteChars } = parameters.explain

/**
 * The greatest probability of an answer that tells the opposite of what is asked, when a shop closes, not opens; or that is about
 * another thing or person.
 */
const otherMax = 0.2

/**
 * Probability that the first text states what a query says, or answers what it asks. For a statement it is that of belief's
 * exact match and half that of a composition; for a question, which no text states, see `answeredProbability`.
 * @param candidates what is quoted first, then the others, nearest first
 * @param patterns how many there are in all
 * @returns in [0, 1]; 0 without candidates
 */
export async function statedProbability(
  query: Statement,
  candidates: readonly Candidate[],
  patterns: number,
  encoder: Encoder,
): Promise<number> {
  const [nearest] = candidates
  if (nearest === undefined) return 0
  if (isQuestion(query.text)) {
    const question = questionOf(query.text)
    const probability = answeredProbability(question, candidates, patterns)
    // What is improbable anyhow is not looked at further, which takes longest.
    if (probability <= otherMax) return probability
    const isOther =
      asksOpposite(question, nearest.text) ||
      (await namesAnother(question, aroundOf(nearest), encoder.cosineOf))
    return isOther ? otherMax : probability
  }
  const { exact_match, composition } = await believe(query, candidates, patterns, encoder)
  return Math.max(0, Math.min(1, exact_match + composition / 2))
}

/** What a text says around a sentence of it may name what the sentence is about; a long one is about much. */
const aroundOf = ({ text, whole }: Candidate): string =>
  whole !== undefined && whole.length <= quoteChars ? whole : text

/**
 * Probability that the first text answers a question: a logistic regression on the cosine of the nearest text, its lead over
 * the first one that says something else, ln n, and the share of the question's 4-grams that are in it.
 */
function answeredProbability(question: string, candidates: readonly Candidate[], patterns: number): number {
  const values = answerFeatures(question, candidates, patterns)
  const weights = [answered.cosine, answered.lead, answered.logPatterns, answered.sharedGrams]
  const logit = values.reduce((sum, value, i) => sum + value * (weights[i] as number), answered.intercept)
  return 1 / (1 + Math.exp(-logit))
}

/** What `answered` in the parameters weighs, in the order cosine, lead, logPatterns, sharedGrams; all finite. */
export function answerFeatures(
  question: string,
  [nearest, ...others]: readonly Candidate[],
  patterns: number,
): [cosine: number, lead: number, logPatterns: number, sharedGrams: number] {
  if (nearest === undefined) return [0, 0, 0, 0]
  const other = others.find(({ vector }) => kernels.cosine(vector, nearest.vector) < sameMin)
  const ngrams = textNgrams(question)
  const inText = textNgrams(nearest.text)
  const shared = Array.from(ngrams).filter((ngram) => inText.has(ngram)).length
  return [
    nearest.cosine,
    // With nothing else there, it leads what any two texts have in common: of one text alone nobody can say more.
    nearest.cosine - (other?.cosine ?? Math.min(nearest.cosine, evidenceMin)),
    Math.log(Math.max(1, patterns)),
    ngrams.size === 0 ? 0 : shared / ngrams.size,
  ]
}
