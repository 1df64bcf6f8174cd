import { saysAnother } from '../belief/says-another.ts'
import { parameters } from '../parameters.ts'
import { excerptOf } from './excerpt.ts'
import type { ExplanationLanguage } from './languages.ts'
import { type Band, type Precedence, phrases } from './phrases.ts'
import type { Candidate } from './select.ts'
import { contentWords, isSmallIn, sharedTerms, toldLanguage } from './terms.ts'

const { bands, evidenceMin, termsMax } = parameters.explain

/**
 * The weight of a new association after one replay in sleep and one answer at the highest learning rate. Patterns that are often
 * used together have a stronger one; weaker ones prove nothing, since sleep also associates what is only near.
 */
const associatedOnce =
  1 -
  (1 - parameters.sleep.associationRate) *
    (1 - parameters.learning.associationRate * (parameters.modulation.calmLearning + 1))

/** How strongly two patterns are associated by use, in [0, 1]. */
export type AssociationOf = (a: number, b: number) => number

/**
 * Says what was found and why each of it: how near it is, the words that it shares with the query, and that it is often
 * used shortly before or after the first. Quotes are the stored texts as they are; nothing else is claimed.
 * @param evidence best first; without any the explanation says that there is none
 */
export function composeExplanation(
  query: string,
  evidence: readonly Pick<Candidate, 'idx' | 'text' | 'cosine' | 'whole'>[],
  language: ExplanationLanguage,
  {
    isEmpty = false,
    isOnlyAsked = false,
    isAskedNearer = false,
    isNarrowed = false,
    precedence,
    associationOf,
    knows = () => true,
  }: {
    isEmpty?: boolean
    /** Whether the evidence asks what the query asks, and nothing answers it. */
    isOnlyAsked?: boolean
    /** Whether something that only asks what the query asks is left out, and is nearer than the evidence. */
    isAskedNearer?: boolean
    /** Whether only a part of the memory was searched. */
    isNarrowed?: boolean
    /** Why the first comes before what is nearer and near enough to be evidence; undefined: nothing is. */
    precedence?: Precedence | undefined
    associationOf?: AssociationOf | undefined
    /** Whether the encoder knows a character. */
    knows?: (character: string) => boolean
  } = {},
): string {
  const say = phrases[language]
  const searched = { isNarrowed, isAskedNearer, precedence }
  const [first] = evidence
  if (first === undefined) return isEmpty ? say.emptySpace : say.nothingNear(searched)
  const asked = toldLanguage(query) ?? language
  const words = contentWords(query, asked)
  const sentences = evidence.map(({ idx, text, cosine, whole }, rank) => {
    const excerpt = excerptOf(text, words, asked, whole)
    const isSmall = isSmallIn([query, text], language)
    const shared = sharedTerms(words, excerpt.text, asked)
      .filter((word) => !isSmall(word))
      .slice(0, termsMax)
    // A cosine does not tell everything: texts that differ beside it are not nearly the same, whatever it is.
    const near = bandOf(cosine)
    const band = near === 'same' && saysAnother(query, text, knows) ? 'veryClose' : near
    const reasons = [`${say.band[band]}, ${say.similarity(say.number(cosine))}`]
    if (shared.length > 0) reasons.push(say.words(shared))
    if (rank > 0 && (associationOf?.(first.idx, idx) ?? 0) > associatedOnce) reasons.push(say.associated)
    if (excerpt.sentences < excerpt.of) reasons.push(say.part(excerpt.sentences, excerpt.of))
    const quote = say.quote(excerpt.text)
    if (rank > 0) return say.further(quote, say.reasons(reasons), rank === 1)
    // Others may be nearer, and are no evidence unless it comes before them for a reason.
    const saysWhich = cosine < evidenceMin && precedence === undefined ? say.withWords : say.nearest
    return saysWhich(quote, say.reasons(reasons), searched)
  })
  return (isOnlyAsked ? say.onlyAsked(searched) : '') + sentences.join(' ')
}

function bandOf(cosine: number): Band {
  if (cosine >= bands.same) return 'same'
  if (cosine >= bands.veryClose) return 'veryClose'
  return cosine >= bands.close ? 'close' : 'loose'
}
