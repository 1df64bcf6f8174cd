import { parameters } from '../parameters.ts'

const { gramCharacters, textCharacters } = parameters.belief

/**
 * Letters of scripts whose words are not set apart, or are one or two letters long; and signs that stand for a word:
 * emoji and the like, with those that are in private use or not in this Unicode yet.
 */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{So}\p{Emoji_Modifier}\p{Co}\p{Cn}]/u
/** Whether a run is of a script that does not set words apart, or of signs. */
export const isDense = (run: string): boolean => dense.test(run)

const runs = new RegExp(`${dense.source}+|(?:(?!${dense.source})[\\p{L}\\p{N}])+`, 'gu')

/**
 * The parts of a text by which it is compared with others, without a resource of any language: the 4-grams of its words,
 * a space before and after each; of scripts that do not set words apart, pairs of characters. Case, accents and
 * punctuation make no difference. Only the beginning of a long text counts.
 */
export function textNgrams(text: string): Set<string> {
  const ngrams = new Set<string>()
  for (const run of foldedRuns(text)) {
    if (isDense(run)) addNgrams(ngrams, run, 2)
    else addNgrams(ngrams, ` ${run} `, gramCharacters)
  }
  return ngrams
}

/** Words, or runs of characters where words are not set apart, without case and accents, in their order. */
export const foldedRuns = (text: string): string[] =>
  foldLetters(text.slice(0, textCharacters)).match(runs) ?? []

/** A text without case and accents, as its n-grams are made of. */
export const foldLetters = (text: string): string =>
  normalizeAround(text, 'NFKD').replaceAll(/\p{M}/gu, '').normalize('NFC').toLowerCase()

/** The numbers that are written in a text, as written but without separators within. */
export function numbersIn(text: string): Set<string> {
  const found =
    normalizeAround(text.slice(0, textCharacters), 'NFKC').match(/\p{Nd}+(?:[.,:/]\p{Nd}+)*/gu) ?? []
  return new Set(found.map((number) => number.replaceAll(/[.,:/]/g, '')))
}

/**
 * Whether two texts differ in what neither embeddings nor words tell: each has a sign, such as an emoji, or a character
 * that the encoder doesn't know, which the other lacks or repeats another number of times; or their numbers differ, and one
 * writes some as a superscript, a fraction or in a circle; or their words are the same, and a sign of logic denies others.
 */
export function differUnseen(one: string, other: string, knows: (character: string) => boolean): boolean {
  const [inOne, inOther] = [unseenIn(one, knows), unseenIn(other, knows)]
  if (!holds(inOther, inOne) && !holds(inOne, inOther)) return true
  const [raised, otherRaised] = [raisedIn(one), raisedIn(other)]
  if (!isEqual(raised, otherRaised) && !isEqual(numbersIn(one), numbersIn(other))) return true
  if (!mayDeny.test(one) && !mayDeny.test(other)) return false
  const [read, otherRead] = [withDenials(one), withDenials(other)]
  return read.words === otherRead.words && read.all !== otherRead.all
}

/** In ASCII signs of mathematics often stand for something else. */
const sign = /[\p{So}\p{Emoji_Modifier}\p{Co}\p{Cn}]|\P{ASCII}(?<=\p{Sm})/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * The signs, and the graphemes with a character that the encoder doesn't know, of the beginning of a text. Those that are
 * repeated without another between are one: ★★★ is not ★★★★★.
 */
function unseenIn(text: string, knows: (character: string) => boolean): Set<string> {
  const beginning = text.slice(0, textCharacters).normalize('NFC')
  const isSeen = (part: string) => !sign.test(part) && [...part].every(knows)
  const unseen = new Set<string>()
  if (isSeen(beginning)) return unseen
  let [repeated, last] = ['', '']
  for (const { segment } of segmenter.segment(beginning)) {
    if (segment.trim() === '') continue
    if (segment !== last) {
      if (repeated !== '') unseen.add(repeated)
      repeated = ''
    }
    last = segment
    if (!isSeen(segment)) repeated += segment
  }
  if (repeated !== '') unseen.add(repeated)
  return unseen
}

/** "Not" in formulas, beside ¬: a stroke through another sign is a character of its own once that is taken apart, as ∉ is. */
const denial = /!=(?=[ \p{L}\p{N}(])|\u0338/gu
/** Found much sooner than what is denied. */
const mayDeny = /!=|\u0338|\P{ASCII}(?<=\p{Sm})/u
const runsAndDenials = new RegExp(`${runs.source}|¬`, 'gu')

/** The words of the beginning of a text, alone and with the signs between them that deny. */
function withDenials(text: string): { words: string; all: string } {
  const beginning = text.slice(0, textCharacters).normalize('NFD').replaceAll(denial, '¬')
  const all = foldLetters(beginning).match(runsAndDenials) ?? []
  return { words: all.filter((run) => run !== '¬').join(' '), all: all.join(' ') }
}

/** Superscripts, fractions, numbers in circles and the like in the beginning of a text. */
const raisedIn = (text: string): Set<string> => new Set(text.slice(0, textCharacters).match(/\p{No}/gu))

const holds = (all: Set<string>, some: Set<string>): boolean => [...some].every((item) => all.has(item))
const isEqual = (a: Set<string>, b: Set<string>): boolean => a.size === b.size && holds(a, b)

/** Normalises a text, except superscripts, fractions and numbers in circles: 10² is not 102. */
function normalizeAround(text: string, form: 'NFKC' | 'NFKD'): string {
  return text.replaceAll(/\P{No}+/gu, (part) => part.normalize(form))
}

/** Adds the n-grams of a run in UTF-16 units: halves of surrogate pairs do no harm, since both texts are cut in the same way. */
function addNgrams(ngrams: Set<string>, run: string, length: number): void {
  if (run.length <= length) ngrams.add(run)
  for (let i = 0; i + length <= run.length; i++) ngrams.add(run.slice(i, i + length))
}
