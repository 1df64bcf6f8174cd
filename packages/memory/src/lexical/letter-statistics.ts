import { readFileSync } from 'node:fs'

/** How likely a text is in a language. */
export interface LanguageScore {
  /** ISO 639-1. */
  language: string
  /** In [0, 1). */
  score: number
  /** Whether the score is nearly as high as that of most texts in the language. */
  isTypical: boolean
}

/**
 * How much of a text is looked at: this many UTF-16 units, and of their UTF-8 bytes those up to the first end of a word after
 * `word` bytes, or else the first end of a character after `character` bytes.
 */
const charactersMax = 1_000
const bytesMax = { word: 350, character: 380 }
/** How many bytes of a long word are looked at. */
const wordBytesMax = 70
/** Length of a gram in bytes, and the distance in a word from one gram's start to the next. */
const gramBytes = 4
const stride = 3
/** Flags in a gram's number, above its bytes: a word begins, or ends, with it. */
export const begins = 2 ** 32
export const ends = 2 ** 33

/** The weight of a gram in a language is this plus what the table holds. */
const leastWeight = 53
/** A score is w / (w + middleWeight), where w is the mean weight of the text's grams. */
const middleWeight = 25
/** With fewer grams no score is typical. */
const gramsMin = 3
/** A score is typical from this share of the score of most texts in the language. */
const typicalShare = 0.75

/** What separates words: all but letters of the basic multilingual plane, and apostrophes before them. */
const separators = /[[^\p{L}]\u{10000}-\u{10ffff}]+(?<!['`’])/gv

/**
 * How often grams of letters are in each of 60 languages: the table of `eld` (Nito T.M., Apache 2.0), written in this form
 * by `scripts/letter-statistics.ts`. The package itself holds it as objects, which take 30 MB and stop a thread for 0.2 s.
 */
const table = readTable(new URL('./letter-statistics.bin', import.meta.url))

/**
 * Scores of a text for each language that has any of its grams, the greatest first.
 * @param shareMin leaves out languages whose score is below this share of the greatest
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

/** The number of a gram: its bytes (at most 4), big-endian. Callers add the flags `begins` and `ends`. */
export function gramNumber(bytes: Uint8Array, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) number = 256 * number + (bytes[at] as number)
  return number
}

/** The grams of a text. The cut-off end of an overlong word is added as a string, which matches no language's gram. */
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

/** Whether the text is cut off here: at the first byte of a character after `bytesMax.character`. */
const isCut = (bytes: Uint8Array, at: number): boolean =>
  at > bytesMax.character && ((bytes[at] as number) & 0xc0) !== 0x80

/** Adds the grams of the word in bytes [from, to). */
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

/** Position of a gram in the table, by binary search; -1 if it is not there. */
function placeOf(gram: number): number {
  let [from, to] = [0, table.grams.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((table.grams[middle] as number) < gram) from = middle + 1
    else to = middle
  }
  return table.grams[from] === gram ? from : -1
}

/** The table, decoded. */
interface LetterStatistics {
  languages: readonly string[]
  /** By language: the score of most texts in it. */
  typical: Float64Array
  /** The numbers of all grams, ascending. */
  grams: Float64Array
  /** By gram: where its entries in `holders` and `weights` begin; those of the last end at the last element. */
  starts: Uint32Array
  /** Languages that have the gram, and its weight in each (see `leastWeight`). */
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
