import { type Difference, differences } from './alignment.ts'
import { compareQuantities } from './compare-quantities.ts'
import { haveOtherNames } from './names.ts'
import { comparePolarity, type Worded } from './polarity.ts'
import { quantitiesOf } from './quantities.ts'
import { haveOtherRoles } from './roles.ts'
import { readTokens } from './tokens.ts'
import { guessLanguage, lexiconOf } from './words.ts'

/** In what two texts that say much the same may contradict each other. */
export const contradictionReasons = ['number', 'unit', 'negation', 'opposite', 'direction', 'name'] as const
export type ContradictionReason = (typeof contradictionReasons)[number]

/** A text as it is compared with others: read once, compared often. */
export interface Comparable extends Partial<Worded>, Pick<Worded, 'reading'> {
  readonly language: string | undefined
}

/** Reads a text for comparison. */
export function readComparable(text: string): Comparable {
  const reading = readTokens(text)
  const language = guessLanguage(reading)
  return { reading, language, ...(language === undefined ? {} : { lexicon: lexiconOf(language) }) }
}

/**
 * In what two texts of the same meaning, as their embeddings say, contradict each other; undefined where nothing shows
 * that they do. What one says beyond the other is no contradiction, nor is another way of writing, another order, or a
 * word for a number.
 */
export function findContradiction(one: Comparable, other: Comparable): ContradictionReason | undefined {
  const [tokens, otherTokens] = [one.reading.tokens, other.reading.tokens]
  const places = differences(
    tokens.map(({ key }) => key),
    otherTokens.map(({ key }) => key),
  )
  if (places.length === 0) return undefined
  const [lexicon, otherLexicon] = [one.lexicon ?? other.lexicon, other.lexicon ?? one.lexicon]
  const quantity = compareQuantities(
    { tokens, quantities: quantitiesOf(one.reading, lexicon) },
    { tokens: otherTokens, quantities: quantitiesOf(other.reading, otherLexicon) },
    places,
  )
  if (quantity !== undefined) return quantity
  if (lexicon !== undefined && otherLexicon !== undefined) {
    const polarity = comparePolarity(
      { reading: one.reading, lexicon },
      { reading: other.reading, lexicon: otherLexicon },
    )
    if (polarity !== undefined) return polarity
  }
  if (haveOtherRoles(tokens, otherTokens, lexicon)) return 'direction'
  return haveOtherNames(tokens, otherTokens, places, lexicon) ? 'name' : undefined
}
