import { differences } from './alignment.ts'
import { haveOtherBounds } from './bounds.ts'
import { haveOtherArguments, haveOtherIdentifierNames, haveOtherMarks, isDeniedInCode } from './code.ts'
import { compareQuantities } from './compare-quantities.ts'
import { compareComparisons } from './comparisons.ts'
import { areConverses } from './converses.ts'
import { isDenial, wordsBeyond } from './denial.ts'
import { haveOtherDirections } from './directions.ts'
import type { Counted } from './exchanged-numbers.ts'
import { haveOtherForeignWords, haveOtherSymbols } from './foreign-words.ts'
import { isFormer } from './former.ts'
import { haveOtherSigns } from './formulas.ts'
import { isFreeOf } from './free-of.ts'
import { haveOtherCapitals, haveOtherSignedNames } from './identifiers.ts'
import { excludeInPlace } from './in-place.ts'
import { haveOtherCases, haveOtherMarkedNames, isDeniedWithin } from './inflections.ts'
import { haveOtherModality } from './modality.ts'
import { haveOtherNames } from './names.ts'
import { haveOtherNumerals } from './numerals.ts'
import { haveOtherPersons } from './persons.ts'
import { comparePolarity, saysNo } from './polarity.ts'
import { quantitiesOf, statesClock } from './quantities.ts'
import { areMirrored, wasRelated } from './relations.ts'
import { haveOtherRoles } from './roles.ts'
import { isOtherSequence } from './sequence.ts'
import { isOver } from './tense.ts'
import { haveOtherAccents } from './things.ts'
import { type Reading, readTokens } from './tokens.ts'
import { haveOtherCase } from './units.ts'
import { haveOtherVoice } from './voice.ts'
import { guessLanguage, type LanguageScores, type Lexicon, lexiconOf, scoreLanguages } from './words.ts'

/** In what two texts that say much the same may contradict each other. */
export const contradictions = {
  number: 'another number, date or identifier',
  unit: 'the same number of another unit, or hour of another half of the day',
  negation: 'one says no where the other says yes',
  opposite: 'what excludes the other, such as hating and liking, or two days of the week',
  direction: 'who does what to whom, or from where to where, is the other way round',
  name: 'another name in the same place',
} as const
export type ContradictionReason = keyof typeof contradictions
export const contradictionReasons = Object.keys(contradictions) as ContradictionReason[]

/** A text as it is compared with others: read once, compared often. */
export interface Comparable {
  readonly reading: Reading
  readonly scores: LanguageScores
  /** Undefined where no word tells. */
  readonly language: string | undefined
  readonly lexicon: Lexicon | undefined
}

/** Reads a text for comparison. */
export function readComparable(text: string): Comparable {
  const reading = readTokens(text)
  const scores = scoreLanguages(reading)
  const language = guessLanguage(scores)
  return { reading, scores, language, lexicon: language === undefined ? undefined : lexiconOf(language) }
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
  const written = differInWriting(one.reading.text, other.reading.text)
  if (written !== undefined) return written
  if (places.length === 0) {
    return haveOtherForeignWords(tokens, otherTokens) || haveOtherAccents(tokens, otherTokens)
      ? 'name'
      : undefined
  }
  const [lexicon, otherLexicon] = lexiconsOf(one, other)
  const [isClock, isOtherClock] = [
    statesClock(one.reading, lexicon),
    statesClock(other.reading, otherLexicon),
  ]
  const [counted, otherCounted] = [
    count(one.reading, lexicon, isOtherClock && !isClock),
    count(other.reading, otherLexicon, isClock && !isOtherClock),
  ]
  const quantity = compareQuantities(counted, otherCounted, places)
  if (quantity !== undefined) return quantity
  if (haveOtherIdentifierNames(one.reading.text, other.reading.text)) return 'name'
  if (haveOtherArguments(tokens, otherTokens)) return 'name'
  if (haveOtherNumerals(one.reading, other.reading, places)) return 'number'
  if (lexicon !== undefined && otherLexicon !== undefined) {
    const [worded, otherWorded] = [
      { reading: one.reading, lexicon },
      { reading: other.reading, lexicon: otherLexicon },
    ]
    const polarity = comparePolarity(worded, otherWorded)
    const compared = compareComparisons(worded, otherWorded)
    if (polarity !== 'negation' && areMirrored(worded, otherWorded))
      return wasRelated(worded) === wasRelated(otherWorded) ? undefined : 'negation'
    if (polarity === 'opposite' && (compared === 'equal' || areConverses(worded, otherWorded)))
      return undefined
    if (polarity !== undefined) return polarity
    if (compared !== undefined) return compared === 'equal' ? undefined : compared
    // Where one alone says no, it says so of the opposite: not far, near.
    const sayNo = [worded, otherWorded].map((each) => saysNo(each.reading, each.lexicon))
    if (sayNo[0] === sayNo[1] && lexicon === otherLexicon && excludeInPlace(one, other, lexicon))
      return 'opposite'
    if (isFreeOf(worded, otherWorded)) return 'negation'
    if (isOtherSequence(worded, otherWorded)) return 'direction'
  }
  if (lexicon === undefined && excludeInPlace(one, other, lexicon)) return 'opposite'
  if (isDenial(one.reading, other.reading)) return 'negation'
  if (haveOtherBounds(counted, otherCounted)) return 'opposite'
  if (isFormer(tokens, otherTokens, lexicon)) return 'negation'
  if (isOver(one, other, lexicon)) return 'negation'
  if (isDeniedWithin(tokens, otherTokens, lexicon)) return 'negation'
  if (haveOtherModality(one.reading, other.reading, lexicon)) return 'opposite'
  if (haveOtherCases(tokens, otherTokens, lexicon)) return 'direction'
  if (haveOtherMarkedNames(one.reading.text, other.reading.text)) return 'direction'
  if (haveOtherDirections(tokens, otherTokens, lexicon)) return 'direction'
  if (haveOtherRoles(tokens, otherTokens, lexicon)) return 'direction'
  if (haveOtherPersons(tokens, otherTokens, lexicon)) return 'direction'
  if (haveOtherVoice(tokens, otherTokens, lexicon)) return 'direction'
  if (haveOtherForeignWords(tokens, otherTokens)) return 'name'
  // Another language may write the same name otherwise.
  if (lexicon !== otherLexicon) return undefined
  return haveOtherNames(tokens, otherTokens, places, lexicon) ? 'name' : undefined
}

/** What contradicts in how two texts are written: the capitals of codes and units, signs of formulas, ticks, and symbols. */
function differInWriting(one: string, other: string): ContradictionReason | undefined {
  if (haveOtherCapitals(one, other) || haveOtherSignedNames(one, other)) return 'number'
  if (haveOtherCase(one, other)) return 'unit'
  if (haveOtherSigns(one, other) || haveOtherMarks(one, other)) return 'opposite'
  if (isDeniedInCode(one, other)) return 'negation'
  return haveOtherSymbols(one, other) ? 'name' : undefined
}

/** Two numbers with a point between them are a time where the other text tells one, and this one none. */
function count(reading: Reading, lexicon: Lexicon | undefined, isDottedClock: boolean): Counted {
  return {
    ...reading,
    quantities: quantitiesOf(reading, lexicon, isDottedClock),
    language: lexicon?.code,
    common: lexicon?.common,
    joins: lexicon?.joins,
  }
}

/** Two texts are taken to be in one language unless both tell otherwise; of both more words tell it than of one. */
function lexiconsOf(one: Comparable, other: Comparable): [Lexicon | undefined, Lexicon | undefined] {
  if (areOfTwoLanguages(one, other)) return [one.lexicon, other.lexicon]
  const text = `${one.reading.text} ${other.reading.text}`
  const tokens = [...one.reading.tokens, ...wordsBeyond(other.reading, one.reading)]
  const language = guessLanguage(scoreLanguages({ text, tokens }))
  const lexicon = language === undefined ? undefined : lexiconOf(language)
  return [lexicon, lexicon]
}

/** Texts of two languages share no more of their words: names, numbers, and some by chance. */
const sharedByLanguages = 0.5

/** Whether each of two texts tells more of its language than of the other's, and has words of its own. */
export function areOfTwoLanguages(one: Comparable, other: Comparable): boolean {
  const [language, otherLanguage] = [one.language, other.language]
  if (language === undefined || otherLanguage === undefined || language === otherLanguage) return false
  const lead = ({ scores }: Comparable, code: string, rival: string) =>
    scores.has(rival) ? (scores.get(code) ?? 0) - (scores.get(rival) ?? 0) : Number.POSITIVE_INFINITY
  if (lead(one, language, otherLanguage) <= 0 || lead(other, otherLanguage, language) <= 0) return false
  const isOwn = (text: Comparable, than: Comparable) =>
    wordsBeyond(text.reading, than.reading).length >= (1 - sharedByLanguages) * text.reading.tokens.length
  return isOwn(one, other) && isOwn(other, one)
}
