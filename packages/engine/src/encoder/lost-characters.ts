import { seededRandom } from '../random.ts'
import { foldText } from '../text-form.ts'
import type { Tokenizer } from './tokenizer/tokenizer.ts'

/** Length, beside a unit vector, of what tells texts apart that the model takes for the same: their cosine is 1 - 4e-6. */
const traceLength = 0.002
/** Characters of the longest n-grams of unknown characters. */
const gramLengthMax = 3

/**
 * The embedding of a text whose token ids do not tell all of it, from what the model makes of the ids. A model knows no
 * characters outside its tokenizer's vocabulary (rare Han, new emoji, whole scripts): all of them are one id. And a
 * tokenizer folds others, such as ² into 2. Without a part of their own, texts that differ in such characters alone
 * would have the same embedding.
 *
 * Unknown characters have the share of the squared length that they have of the text, so that of texts which differ in
 * one of ten characters the cosine is 0.9. Their part is a sum of pseudo-random directions, one for
 * each of the n-grams of one to three characters of a run of them: texts that share more of them are nearer, and a text
 * in a script that the model doesn't know at all is compared by its spelling. What was folded, and the text as a whole,
 * leave a trace that is large enough to tell apart and too small to change an order.
 *
 * @param meaning unit vector
 * @returns unit vector; `meaning` itself when the ids tell everything
 */
export function withLostCharacters(
  meaning: Float32Array,
  text: string,
  ids: Int32Array,
  tokenizer: Tokenizer,
): Float32Array {
  if (tokenizer.tellsAll(text, ids)) return meaning
  const { unknown, unknownShare, folded, form } = findLost(text, tokenizer)
  const dimensions = meaning.length
  const sum = Float64Array.from(meaning, (value) => Math.sqrt(1 - unknownShare) * value)
  addUnit(sum, sumOfDirections(unknown, dimensions), Math.sqrt(unknownShare))
  addUnit(sum, sumOfDirections(folded, dimensions), traceLength)
  addUnit(sum, sumOfDirections(new Map([[`text ${form}`, 1]]), dimensions), traceLength)
  const norm = lengthOf(sum)
  return Float32Array.from(sum, (value) => value / norm)
}

interface Lost {
  /** How often each n-gram of unknown characters occurs. */
  unknown: Map<string, number>
  /** The share of the characters that are unknown, in [0, 1]. */
  unknownShare: number
  /** How often each character occurs that the tokenizer turns into others, under the name `folded CHARACTER`. */
  folded: Map<string, number>
  /** The text as it is compared: composed, white space folded. */
  form: string
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function findLost(text: string, tokenizer: Tokenizer): Lost {
  const unknown = new Map<string, number>()
  const folded = new Map<string, number>()
  const form = foldText(text)
  let count = 0
  let unknownCount = 0
  let run: string[] = []
  const endRun = () => {
    if (run.length > 0) countGrams(unknown, ['', ...run, ''])
    run = []
  }
  for (const { segment } of segmenter.segment(form)) {
    if (segment === ' ') {
      endRun()
      continue
    }
    const knowledge = tokenizer.knowledgeOf(segment)
    // Three of one emoji in a row say little more than one.
    const isRepeated = segment === run.at(-1)
    if (!isRepeated) count++
    if (knowledge === 'unknown') {
      if (!isRepeated) unknownCount++
      run.push(segment)
    } else {
      endRun()
      if (knowledge === 'folded') increment(folded, `folded ${segment}`)
    }
  }
  endRun()
  return { unknown, unknownShare: count === 0 ? 0 : unknownCount / count, folded, form }
}

/** Counts the n-grams of a run, whose ends are empty strings. An end alone says nothing. */
function countGrams(counts: Map<string, number>, characters: readonly string[]): void {
  for (let length = 1; length <= gramLengthMax; length++) {
    for (let start = 0; start + length <= characters.length; start++) {
      const gram = characters.slice(start, start + length).join('\n')
      if (gram !== '') increment(counts, gram)
    }
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/**
 * A weighted sum of pseudo-random directions, one for each name and about orthogonal to the others; what occurs four times
 * counts twice.
 */
function sumOfDirections(counts: ReadonlyMap<string, number>, dimensions: number): Float64Array {
  const sum = new Float64Array(dimensions)
  for (const [name, count] of counts) {
    const random = seededRandom(name)
    const weight = Math.sqrt(count)
    let signs = 0
    for (let i = 0; i < dimensions; i++) {
      if (i % 32 === 0) signs = random() * 2 ** 32
      sum[i]! += (signs >>> (i % 32)) & 1 ? weight : -weight
    }
  }
  return sum
}

/** Adds `length` times the direction of `part` to `sum`; nothing when it has none. */
function addUnit(sum: Float64Array, part: Float64Array, length: number): void {
  const norm = lengthOf(part)
  if (norm === 0) return
  for (let i = 0; i < sum.length; i++) sum[i]! += (length * part[i]!) / norm
}

function lengthOf(vector: Float64Array): number {
  let squares = 0
  for (const value of vector) squares += value * value
  return Math.sqrt(squares)
}
