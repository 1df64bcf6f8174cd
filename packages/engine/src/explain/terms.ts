import { readComparable } from '../contradiction/contradiction.ts'
import { type Lexicon, lexiconOf } from '../contradiction/words.ts'
import { isAscii } from '../text-form.ts'
import { functionWords } from './function-words.ts'
import { type ExplanationLanguage, explanationLanguages } from './languages.ts'

/** In Han a word is often one character. Elsewhere, also in kana, words of fewer than three characters say little. */
const ideograph = /\p{Script=Han}/u
const lengthMin = 3

/** What is written together with a word but is no part of it: l'eau, qu’elle, Ada's. */
const attached = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’]|['’]s$/iu

/** A pronoun that French hangs on a verb: habite-t-il, dis-moi. "Rendez-vous" is a word of its own. */
const hung =
  /(?:[-‐‑]t)?[-‐‑](?:je|tu|ils?|elles?|nous|(?<!rendez[-‐‑])vous|moi|toi|lui|ci|là)$|[-‐‑]t[-‐‑]on$/iu

const words = new Intl.Segmenter('und', { granularity: 'word' })

const hyphen = /^[-‐‑]$/u

/** The words of a text as they are written, those with a hyphen within as one: rendez-vous. */
function wordsOf(text: string): string[] {
  const found: string[] = []
  const segments = Array.from(words.segment(text))
  for (const [at, { segment, isWordLike }] of segments.entries()) {
    if (!isWordLike) continue
    const [before, hyphened] = [segments[at - 2], segments[at - 1]]
    const isJoined = before?.isWordLike && hyphen.test(hyphened?.segment ?? '')
    if (isJoined) found.push(`${found.pop()}${hyphened?.segment}${segment}`)
    else found.push(segment)
  }
  return found
}

/**
 * A word without what its spelling varies in: case, accents of Latin, Greek and Cyrillic letters, ligatures, the form
 * of the apostrophe and the hyphen. Marks of other scripts are vowels of theirs and stay.
 */
export function fold(word: string): string {
  if (isAscii(word)) return word.toLowerCase()
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'")
    .replaceAll('‐', '-')
}

/**
 * Whether a word is a function word of a language. French is often written without its accents, so they make no difference;
 * English has none, so "thé" is not "the".
 */
export function isSmall(word: string, language: ExplanationLanguage): boolean {
  const folded = fold(word)
  const hasAccents = folded !== word.normalize('NFC').toLowerCase().replaceAll('’', "'")
  return functionWords[language].has(folded) && !(language === 'en' && hasAccents)
}

export const isDeterminer = (key: string, lexicon: Lexicon | undefined): boolean =>
  lexicon?.determiners.some(({ text }) => text === key) === true

/** The language that a text's words tell, of those that explanations are written in. */
export function toldLanguage(text: string): ExplanationLanguage | undefined {
  const { language } = readComparable(text)
  return explanationLanguages.find((each) => each === language)
}

/**
 * Whether a word is a function word of a language that one of some texts is in. The word for a car is one in French, and says
 * much in English.
 * @param otherwise the language of texts whose words tell none
 */
export function isSmallIn(
  texts: readonly string[],
  otherwise: ExplanationLanguage,
): (word: string) => boolean {
  const told = texts.map((text) => readComparable(text).language).filter((each) => each !== undefined)
  const languages = new Set(told.length > 0 ? told : [otherwise])
  return (word) =>
    [...languages].some((each) => {
      const explained = explanationLanguages.find((language) => language === each)
      if (explained !== undefined) return isSmall(word, explained)
      const lexicon = lexiconOf(each)
      return lexicon.common.has(fold(word)) || isDeterminer(fold(word), lexicon)
    })
}

/**
 * The words of a text that say what it is about, each once, as they are written there first, by their folded form.
 * @param language whose function words are left out
 */
export function contentWords(text: string, language: ExplanationLanguage): Map<string, string> {
  const found = new Map<string, string>()
  for (const written of wordsOf(text)) {
    const word = written.replace(attached, '').replace(hung, '')
    const folded = fold(word)
    const isLong = [...folded].length >= lengthMin || ideograph.test(folded)
    const isFunction = isSmall(written, language) || isSmall(word, language)
    if (isLong && !isFunction && !found.has(folded)) found.set(folded, word)
  }
  return found
}

/** The content words of a text that a query has too, as the text writes them, in its order. @param query its content words */
export function sharedTerms(
  query: ReadonlyMap<string, string>,
  text: string,
  language: ExplanationLanguage,
): string[] {
  return Array.from(contentWords(text, language))
    .filter(([folded]) => query.has(folded))
    .map(([, word]) => word)
}
