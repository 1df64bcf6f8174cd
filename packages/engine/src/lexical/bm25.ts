import { parameters } from '../parameters.ts'

/** BM25 (Robertson & Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009). */

const { k1, b, rarityPower, queryFrequencyMax } = parameters.lexical

/**
 * The weight of a term of a query: k1 + 1 times a power of its inverse document frequency, for each time the query has it up to a
 * maximum. Above 0, also for a term that all documents have.
 * @param documents number of all documents, at least `withTerm`
 */
export function termWeight(queryFrequency: number, documents: number, withTerm: number): number {
  const rarity = Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5))
  return Math.min(queryFrequency, queryFrequencyMax) * (k1 + 1) * rarity ** rarityPower
}

/**
 * The part of a term's weight that a document gets for it, in [0, 1).
 * @param frequency how often the document has the term, at least 1
 * @param length terms of the document
 * @param meanLength of all documents; 0 when none has terms
 */
export function saturation(frequency: number, length: number, meanLength: number): number {
  const slope = meanLength > 0 ? (k1 * b) / meanLength : 0
  return frequency / (frequency + k1 * (1 - b) + slope * length)
}

/** The part of a term's weight that a document of mean length gets which has it once. */
export const saturationOnce = 1 / (1 + k1)
