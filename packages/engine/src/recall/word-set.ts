import { fold } from '../lexical/tokenise.ts'
import { sizeOf } from './passages.ts'

/** The distinct words of a text, in a form in which many texts can be compared fast. */
export interface WordSet {
  /** A 32-bit hash of each word. */
  words: readonly number[]
  /** A Bloom filter with one bit for each word: few common bits mean few common words. */
  bits: Int32Array
  /** How many words share their bit with another word of the set. */
  behind: number
}

/** Scripts without white space between words, and kana's long vowel mark: the inside of a character class. */
export const spaceless = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const spacelessCharacter = new RegExp(`[${spaceless}]`, 'gu')
const wordCharacters = /[\p{L}\p{N}]/gu

/** The share of a text's letters and digits, in [0, 1], that is in scripts without white space between words. */
export function spacelessShareOf(text: string): number {
  const those = text.match(spacelessCharacter)?.length ?? 0
  return those === 0 ? 0 : Math.min(1, those / (text.match(wordCharacters)?.length ?? those))
}

/** Numbers joined by punctuation count as one word: versions, chapters, times, dates. */
const joinedNumber = String.raw`\p{Nd}+(?:[.,:\/\-]\p{Nd}+)+`
const hasJoinedNumber = /\p{Nd}[.,:/-]\p{Nd}/u
/**
 * Matches one word. "A社の" is three words, since characters of scripts without white space are words by themselves. "v2.10" is
 * two, "v" and "2.10", so that it shares the latter with texts that write it without the letter.
 */
export const oneWord = new RegExp(
  String.raw`[${spaceless}]|${joinedNumber}|(?:(?!(?<!\p{Nd})${joinedNumber})[[\p{L}\p{N}\p{M}]--[${spaceless}]])+`,
  'gv',
)

/** Whether a word is a number, or begins with a capital as names do. */
export const isNameOrNumber = (word: string): boolean => /^[\p{Lu}\p{N}]/u.test(word)

/** Length of `WordSet.bits`, in 32-bit numbers. */
const bitsLength = 8

/**
 * The distinct words of a text; in scripts without white space, its characters.
 * @param sizeMin leaves out shorter words, measured by `sizeOf`
 */
export function wordSetOf(text: string, sizeMin = 0): WordSet {
  const words: number[] = []
  const bits = new Int32Array(bitsLength)
  let behind = 0
  const add = (hash: number) => {
    const at = (hash >>> 5) % bitsLength
    const bit = 1 << hash
    if (((bits[at] as number) & bit) === 0) bits[at] = (bits[at] as number) | bit
    else if (words.includes(hash)) return
    else behind++
    words.push(hash)
  }
  const folded = fold(text)
  if (sizeMin > 0 || hasJoinedNumber.test(folded) || !eachAsciiWord(folded, add)) {
    for (const word of folded.match(oneWord) ?? []) if (sizeOf(word) >= sizeMin) add(hashOf(word))
  }
  return { words, bits, behind }
}

/** An upper bound, from the bits alone, on how many words two texts have in common. */
export function sharedAtMost(a: WordSet, b: WordSet): number {
  let count = Math.min(a.behind, b.behind)
  for (let at = 0; at < bitsLength; at++) count += bitCount((a.bits[at] as number) & (b.bits[at] as number))
  return count
}

/** How many words two texts have in common. */
export function sharedCount(a: WordSet, b: WordSet): number {
  let count = 0
  for (const word of a.words) if (b.words.includes(word)) count++
  return count
}

/**
 * Calls `see` with the hash of each word of a folded text, in a third of the time that matching `oneWord` takes.
 * @returns whether the text is all ASCII; if not, only words before the first other character were seen
 */
function eachAsciiWord(text: string, see: (hash: number) => void): boolean {
  let hash = offsetBasis
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) return false
    if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)) {
      hash = hashedOn(hash, unit)
      length++
    } else if (length > 0) {
      see(hash)
      hash = offsetBasis
      length = 0
    }
  }
  if (length > 0) see(hash)
  return true
}

/** FNV-1a (Fowler, Noll, Vo) over UTF-16 units. */
const offsetBasis = 0x811c9dc5 | 0
const hashedOn = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)

/** The hash by which a `WordSet` holds a word. @param word as returned by `fold` */
export function hashOf(word: string): number {
  let hash = offsetBasis
  for (let at = 0; at < word.length; at++) hash = hashedOn(hash, word.charCodeAt(at))
  return hash
}

/** Number of set bits in a 32-bit number (Warren, Hacker's Delight, 2012, 5-1). */
export function bitCount(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
