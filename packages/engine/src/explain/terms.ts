import { functionWords } from './function-words.ts'
import type { ExplanationLanguage } from './languages.ts'

/** A word of these is often one character; elsewhere, and in the kana of grammar, one of two says little. */
const ideograph = /\p{Script=Han}/u
const lengthMin = 3

/** What is written as one with a word and is no part of it: l'eau, qu’elle, Ada's. */
const attached = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’]|['’]s$/iu

const words = new Intl.Segmenter('und', { granularity: 'word' })

/**
 * A word without what its spelling varies in: case, accents of Latin, Greek and Cyrillic letters, ligatures, the form
 * of the apostrophe. Marks of other scripts are vowels of theirs and stay.
 */
export function fold(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'")
}

/**
 * The words of a text that say what it is about, each once, as they are written there first, by their folded form.
 * @param language whose function words are left out
 */
export function contentWords(text: string, language: ExplanationLanguage): Map<string, string> {
  const found = new Map<string, string>()
  for (const { segment, isWordLike } of words.segment(text)) {
    if (!isWordLike) continue
    const word = segment.replace(attached, '')
    const folded = fold(word)
    const isLong = [...folded].length >= lengthMin || ideograph.test(folded)
    const isFunction = functionWords[language].has(fold(segment)) || functionWords[language].has(folded)
    if (isLong && !isFunction && !found.has(folded)) found.set(folded, word)
  }
  return found
}

/** Words that say what both texts are about, as the second writes them, in its order. */
export function sharedTerms(
  query: ReadonlyMap<string, string>,
  text: string,
  language: ExplanationLanguage,
): string[] {
  return Array.from(contentWords(text, language))
    .filter(([folded]) => query.has(folded))
    .map(([, word]) => word)
}
