import { readFileSync } from 'node:fs'

/** How like a language a text is. */
export interface LanguageScore {
  /** ISO 639-1. */
  language: string
  /** In [0, 1). */
  score: number
  /** Whether it is nearly as high as that of most texts in the language. */
  isTypical: boolean
}

/** Of a text so much is looked at: these UTF-16 units, and of their bytes up to the end of a word or else of a character. */
const charactersMax = 1_000
const bytesMax = { word: 350, character: 380 }
/** Of a longer word the first bytes are looked at. */
const wordBytesMax = 70
/** Bytes of a gram, and after how many the next one in a word begins. */
const gramBytes = 4
const stride = 3
/** Flags above the bytes of a gram: that a word begins or ends with it. */
export const begins = 2 ** 32
export const ends = 2 ** 33

/** What a gram that a language has counts at least, less what the table holds of it. */
const leastWeight = 53
/** Mean weight of a gram at which a score is 0.5. */
const middleWeight = 25
/** Fewer grams say nothing. */
const gramsMin = 3
/** Share of the score of most texts from which one is typical. */
const typicalShare = 0.75

/** Letters of the basic plane belong to words, and apostrophes before them. */
const separators = /[[^\p{L}]\u{10000}-\u{10ffff}]+(?<!['`’])/gv

/**
 * How often grams of letters are in each of 60 languages: the table of `eld` (Nito T.M., Apache 2.0), written in this form
 * by `scripts/letter-statistics.ts`. The package itself holds it as objects, which take 30 MB and stop a thread for 0.2 s.
 */
const table = readTable(new URL('./letter-statistics.bin', import.meta.url))

/**
 * Languages that a text has letters of, in which it is most likely first.
 * @param shareMin of the greatest score: languages of less are left out
 */
export function languageScores(text: string, shareMin = 0): LanguageScore[] {
  const grams = gramsOf(
    Buffer.from(text.slice(0, charactersMax).replace(separators, ' ').trim().toLowerCase()),
  )
  const weights = new Uint32Array(table.languages.length)
  for (const gram of grams) {
    const at = typeof gram === 'number' ? placeOf(gram) : -1
    if (at < 0) continue
    for (let i = table.starts[at] as number; i < (table.starts[at + 1] as number); i++) {
      const language = table.holders[i] as number
      weights[language] = (weights[language] as number) + leastWeight + (table.weights[i] as number)
    }
  }
  const scoreOf = (weight: number) => weight / grams.size / (weight / grams.size + middleWeight)
  const least = shareMin * scoreOf(weights.reduce((most, weight) => Math.max(most, weight), 0))
  const found: LanguageScore[] = []
  for (let at = 0; at < weights.length; at++) {
    const score = scoreOf(weights[at] as number)
    if (!(score > 0 && score >= least)) continue
    const isTypical = grams.size >= gramsMin && score >= typicalShare * (table.typical[at] as number)
    found.push({ language: table.languages[at] as string, score, isTypical })
  }
  return found.sort((a, b) => b.score - a.score)
}

/** A gram as one number: its bytes, at most 4, and the flags `begins` and `ends`. */
export function gramNumber(bytes: Uint8Array, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) number = 256 * number + (bytes[at] as number)
  return number
}

/** The grams of a text; of an endless word the rest as a string, which no language has. */
function gramsOf(bytes: Uint8Array): Set<number | string> {
  const grams = new Set<number | string>()
  let start = 0
  for (let at = 0; start < bytes.length; at++) {
    const isEnd = at >= bytes.length || isCut(bytes, at)
    if (!isEnd && bytes[at] !== space) continue
    if (at > start) addGrams(bytes, start, at, grams)
    if (isEnd || at > bytesMax.word) break
    start = at + 1
  }
  return grams
}

const space = 0x20

/** Whether a text is looked at up to this byte only: the first of a character. */
const isCut = (bytes: Uint8Array, at: number): boolean =>
  at > bytesMax.character && ((bytes[at] as number) & 0xc0) !== 0x80

/** Adds those of the word between two bytes. */
function addGrams(bytes: Uint8Array, from: number, to: number, grams: Set<number | string>): void {
  const end = Math.min(to, from + wordBytesMax)
  let at = from
  for (; at + gramBytes < end; at += stride) {
    grams.add(gramNumber(bytes, at, at + gramBytes) + (at === from ? begins : 0))
  }
  const last = Math.max(from, end - gramBytes)
  if (to > end) grams.add(Buffer.from(bytes.subarray(last, to)).toString('latin1'))
  else grams.add(gramNumber(bytes, last, to) + (at === from ? begins : 0) + ends)
}

/** Where the table has a gram; -1: nowhere. */
function placeOf(gram: number): number {
  let [from, to] = [0, table.grams.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((table.grams[middle] as number) < gram) from = middle + 1
    else to = middle
  }
  return table.grams[from] === gram ? from : -1
}

/** What is known of the grams of languages. */
interface LetterStatistics {
  languages: readonly string[]
  /** The score of most texts in each language. */
  typical: Float64Array
  /** Ascending. */
  grams: Float64Array
  /** Where what is known of each gram begins, and of the last one ends. */
  starts: Uint32Array
  /** The languages that have it, and what it counts for each. */
  holders: Uint8Array
  weights: Uint8Array
}

function readTable(file: URL): LetterStatistics {
  const { buffer } = new Uint8Array(readFileSync(file))
  const [languageCount, gramCount] = new Uint32Array(buffer, 0, 2) as unknown as [number, number]
  let at = 8
  const taken = (length: number) => {
    at += length
    return at - length
  }
  const floats = (length: number) => new Float64Array(buffer, taken(8 * length), length)
  const bytes = (length: number) => new Uint8Array(buffer, taken(length), length)
  const [typical, grams] = [floats(languageCount), floats(gramCount)]
  const codes = Buffer.from(bytes(2 * languageCount)).toString('latin1')
  const starts = new Uint32Array(gramCount + 1)
  for (const [i, count] of bytes(gramCount).entries()) starts[i + 1] = (starts[i] as number) + count
  const known = starts[gramCount] as number
  return {
    languages: codes.match(/../g) ?? [],
    typical,
    grams,
    starts,
    holders: bytes(known),
    weights: bytes(known),
  }
}
