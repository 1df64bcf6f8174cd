import { parameters } from '../parameters.ts'
import { isAscii } from '../text-form.ts'

/** The terms of texts, the same as the native index takes them apart into (`test/vectors/terms.json`). */

const { usualGrams, gramsPower } = parameters.lexical

/** Characters of the pieces that words are taken apart into. */
const gram = 4
/** Stands at both ends of a word, so that a gram tells where in the word it is. */
const boundary = ' '
/** Characters of the pieces of scripts without white space between words. */
const spacelessGram = 2

/**
 * Accents, optional vowels, selectors and joiners: they say nothing about which word it is. Marks that spell vowels (as
 * in Devanagari and Thai) or tell consonants apart (as in kana) are not among them.
 */
const accents = String.raw`\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f`
const selectors = String.raw`\u00ad\u0640\u200c\u200d\u2060\ufeff\ufe00-\ufe0f\u{1f3fb}-\u{1f3ff}`
const dropped = new RegExp(`[${accents}${selectors}]`, 'gu')

/** Letters and marks in numbers that no decomposition makes plain, as one types them without their key. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
  '\u066b': '.',
  '\u066c': ',',
}
const unplain = new RegExp(`[${Object.keys(plain).join('')}]`, 'gu')

/** The code points of zero in other scripts, with the nine digits behind each; compatibility forms decompose to plain ones. */
const zeros =
  '660 6f0 7c0 966 9e6 a66 ae6 b66 be6 c66 ce6 d66 de6 e50 ed0 f20 1040 1090 17e0 1810 1946 19d0 1a80 ' +
  '1a90 1b50 1bb0 1c40 1c50 a620 a8d0 a900 a9d0 a9f0 aa50 abf0 104a0 10d30 10d40 11066 110f0 11136 ' +
  '111d0 112f0 11450 114d0 11650 116c0 116d0 116da 11730 118e0 11950 11bf0 11c50 11d50 11da0 11de0 ' +
  '11f50 16130 16a60 16ac0 16b50 16d70 1e140 1e2f0 1e4f0 1e5f1 1e950'
const digits: ReadonlyMap<string, string> = new Map(
  zeros
    .split(' ')
    .flatMap((zero) =>
      Array.from('0123456789', (digit, at) => [String.fromCodePoint(Number.parseInt(zero, 16) + at), digit]),
    ),
)
const foreignDigit = new RegExp(`[${[...digits.keys()].join('')}]`, 'gu')

/** Han, Hiragana, Katakana, Thai, Lao, Khmer and Myanmar: ranges, since they must be the same everywhere. */
const spacelessRanges = String.raw`[\u0e00-\u0eff\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u303c\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{1aff0}-\u{1b16f}\u{20000}-\u{3ffff}]`
const letters = String.raw`[\p{Alphabetic}\p{N}\p{M}]`
const spaceless = `[${letters}&&${spacelessRanges}]`
/** What words are of. The letters at its end are regional indicators, of which two are a flag. */
const word = String.raw`[[${letters}--${spacelessRanges}]\u{1f1e6}-\u{1f1ff}]`
const pictograph = String.raw`[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}]`
/**
 * Words are maximal runs of letters, digits and marks; as in Unicode's word boundaries (UAX 29, WB11 and WB12) a full
 * stop or comma between digits ends no number. Otherwise than there an apostrophe, a full stop or a low line between
 * letters does end a word, so that "Anna's" has the terms of "Anna".
 */
const runs = new RegExp(
  String.raw`(?<spaceless>${spaceless}+)|(?<word>${word}(?:${word}|(?<=\p{N})[.,](?=[\p{N}--${spacelessRanges}]))*)|${pictograph}`,
  'gv',
)
/** A text in the form in which terms are compared: one case, no accents, plain digits, one way of writing each character. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  if (isLatin.test(text)) {
    return text.replace(beyondAscii, (letter) => latin[letter.charCodeAt(0)] as string).toLowerCase()
  }
  return foldAny(text)
}

/** Of texts up to U+024F each character can be looked up by itself, which takes a fifth of the time. */
const isLatin = /^[\0-\u024f]*$/
const beyondAscii = /[\u0080-\u024f]/g
const latin = Array.from({ length: 0x250 }, (_, code) => foldAny(String.fromCharCode(code)))

function foldAny(text: string): string {
  return text
    .normalize('NFKD')
    .replace(dropped, '')
    .toLowerCase()
    .replace(unplain, (letter) => plain[letter] as string)
    .replace(foreignDigit, (digit) => digits.get(digit) as string)
    .normalize('NFC')
}

/**
 * The terms of a text in order, each as often as it occurs: the 4-grams of words with a space at both ends (McNamee &
 * Mayfield, Character N-Gram Tokenization for European Language Text Retrieval, 2004), the bigrams of runs of scripts
 * without white space between words, single pictographs. Characters are code points.
 */
export function tokenise(text: string): string[] {
  const terms: string[] = []
  for (const run of runsOf(text)) terms.push(...run.terms)
  return terms
}

/** The runs of a text, in order, with the terms of each. */
function* runsOf(text: string): Generator<{ terms: string[]; isWord: boolean }> {
  for (const { 0: run, groups } of fold(text).matchAll(runs)) {
    const isWord = groups?.word !== undefined
    yield { terms: isWord ? gramsOf(boundary + run + boundary, gram) : gramsOf(run, spacelessGram), isWord }
  }
}

/** Each distinct term of a text with how often it is there. */
export function countTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of tokenise(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/**
 * Each distinct term of a query with how often it counts. A long word has more grams than a short one and says hardly more, so each of
 * its grams counts less: `usualGrams` over its number of grams to the power of `gramsPower`.
 */
export function countQueryTerms(query: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { terms, isWord } of runsOf(query)) {
    const count = isWord ? (usualGrams / terms.length) ** gramsPower : 1
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + count)
  }
  return counts
}

/** The pieces of so many characters of a run, one from each place; a shorter run is a piece by itself. */
function gramsOf(run: string, size: number): string[] {
  const characters = [...run]
  if (characters.length <= size) return [run]
  return Array.from({ length: characters.length - size + 1 }, (_, at) =>
    characters.slice(at, at + size).join(''),
  )
}
