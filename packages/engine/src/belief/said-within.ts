import { onlyAsks } from '../explain/asking.ts'
import { fold } from '../lexical/tokenise.ts'
import { sentenceSegmenter } from '../sentence-segmenter.ts'
import { foldedRuns, isDense, textNgrams } from './text-ngrams.ts'

/** Sentences of a text in a row, as many as a statement has. */
export interface Said {
  text: string
  /** Whether they are the statement, but for case, accents, white space and punctuation. */
  isSame: boolean
  /** How much of their n-grams and the statement's both have, in [0, 1] (Dice). */
  shared: number
}

/** With less in common sentences hardly say the same. */
const sharedMin = 0.6

/**
 * Finds in texts of several sentences those most like a statement: what stands around them takes nothing of them.
 * @returns tells of a text; undefined where it has no more sentences than the statement, or none like it. What only asks states
 *   nothing.
 */
export function saidWithin(statement: string): (text: string) => Said | undefined {
  const stated = comparable(statement)
  const ngrams = textNgrams(statement)
  const count = sentencesOf(statement).length
  const words = foldedRuns(statement).filter((word) => !isDense(word))
  return (text) => {
    if (count === 0 || !hasHalf(words, text)) return undefined
    const sentences = sentencesOf(text)
    if (sentences.length <= count) return undefined
    let best: Said | undefined
    for (let at = 0; at + count <= sentences.length; at++) {
      const [first, last] = [sentences[at] as Sentence, sentences[at + count - 1] as Sentence]
      const part = text.slice(first.start, last.end)
      const isSame = comparable(part) === stated
      const shared = isSame ? 1 : dice(ngrams, textNgrams(part))
      if (shared < sharedMin || shared <= (best?.shared ?? 0) || onlyAsks(part)) continue
      best = { text: part, isSame, shared }
      if (isSame) break
    }
    return best
  }
}

/** Whether a text has half of some words, which is told much sooner than in which sentence. */
function hasHalf(words: readonly string[], text: string): boolean {
  const folded = fold(text)
  return 2 * words.filter((word) => folded.includes(word)).length >= words.length
}

interface Sentence {
  start: number
  end: number
}

/** Where the sentences of a text stand in it, without the white space around them. */
function sentencesOf(text: string): Sentence[] {
  return Array.from(sentenceSegmenter.segment(text)).flatMap(({ segment, index }) => {
    if (!/[\p{L}\p{N}]/u.test(segment)) return []
    const start = index + segment.length - segment.trimStart().length
    return { start, end: index + segment.trimEnd().length }
  })
}

/** A text without case, accents, white space and punctuation. Signs stay, as they tell apart: emoji, currencies. */
const comparable = (text: string): string => fold(text).replaceAll(/[\s\p{P}]/gu, '')

function dice(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const ngram of one) if (other.has(ngram)) shared++
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size)
}
