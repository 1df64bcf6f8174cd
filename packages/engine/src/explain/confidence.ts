import { beliefFeatures, type Statement } from '../belief/features.ts'
import { classify } from '../belief/model.ts'
import { textNgrams } from '../belief/text-ngrams.ts'
import { kernels } from '../kernels/kernels.ts'
import { parameters } from '../parameters.ts'
import { interrogatives } from './function-words.ts'
import type { Candidate } from './select.ts'
import { fold } from './terms.ts'

const { sameMin, answered, evidenceMin } = parameters.explain

/**
 * Probability that the nearest text states what a query says or asks for. Of a statement, belief tells: that the text
 * states it, and half when it takes others beside. A question is never stated, so the probability that its answer is there
 * is another.
 * @param candidates nearest first
 * @param patterns how many there are in all
 * @returns in [0, 1]; 0 without candidates
 */
export function statedProbability(
  query: Statement,
  candidates: readonly Candidate[],
  patterns: number,
): number {
  if (candidates.length === 0) return 0
  if (isQuestion(query.text)) return answeredProbability(query.text, candidates, patterns)
  const { exact_match, composition } = classify(beliefFeatures(query, candidates, patterns))
  return Math.max(0, Math.min(1, exact_match + composition / 2))
}

/** Whether a text asks: it ends with a question mark, or begins with a word that English or French questions begin with. */
export function isQuestion(text: string): boolean {
  if (/[?？؟]["'»”’)\s]*$/u.test(text)) return true
  const [, first = ''] = /^[\s¿«"“]*([\p{L}'’-]+)/u.exec(text) ?? []
  return interrogatives.has(fold(first))
}

/**
 * Logistic regression on the cosine of the nearest text, its lead over the first one that says something else, ln n, and
 * the share of the question's 4-grams that are in it.
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
