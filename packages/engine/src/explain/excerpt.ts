import { parameters } from '../parameters.ts'
import { sentenceSegmenter } from '../sentence-segmenter.ts'
import type { ExplanationLanguage } from './languages.ts'
import { fold, sharedTerms } from './terms.ts'

const { quoteChars } = parameters.explain

/** Part of a text, character by character as it stands there. */
export interface Excerpt {
  text: string
  /** Sentences in it; equal to `of` when it is the whole text, and 0 when it has a part of one. */
  sentences: number
  of: number
}

/**
 * What to quote of a text: all of it, or of a long one as many whole sentences in a row as fit, beginning with the one
 * whose words in common with the query say most: a word weighs ln(1 + sentences / sentences that have it), its rarity in
 * the text (Spärck Jones, A Statistical Interpretation of Term Specificity, 1972). At least one sentence, however long.
 * A passage that has no word of the query is quoted whole: nothing tells in which of its sentences the answer is.
 * @param query the content words of the query, by their folded form
 * @param whole the text that `text` is a passage of; undefined where it is the whole
 */
export function excerptOf(
  text: string,
  query: ReadonlyMap<string, string>,
  language: ExplanationLanguage,
  whole?: string,
): Excerpt {
  const isAll = text.trim().length <= quoteChars
  if (isAll && whole === undefined) return { text: text.trim(), sentences: 1, of: 1 }
  const sentences = sentencesOf(text)
  const all = whole === undefined ? sentences : sentencesOf(whole)
  const excerpt = (part: string, quoted: readonly Sentence[]): Excerpt => ({
    text: part.trim(),
    sentences: countWhole(quoted, all),
    of: all.length,
  })
  const shared = sentences.map(({ segment }) => sharedTerms(query, segment, language).map(fold))
  if (isAll || (whole !== undefined && shared.every(({ length }) => length === 0))) {
    return excerpt(text, sentences)
  }
  const first = mostTelling(shared)
  const start = sentences[first]?.start ?? 0
  const fitting = sentences.slice(first).findIndex(({ end }) => end - start > quoteChars)
  const count = fitting === -1 ? sentences.length - first : Math.max(1, fitting)
  const end = sentences[first + count - 1]?.end ?? text.length
  return excerpt(text.slice(start, end), sentences.slice(first, first + count))
}

interface Sentence {
  segment: string
  start: number
  end: number
}

/** How many sentences a quote has, 0 where one of them is none of the text's: a passage may begin or end within one. */
function countWhole(quoted: readonly Sentence[], all: readonly Sentence[]): number {
  const known = new Set(all.map(({ segment }) => segment.trim()))
  return quoted.every(({ segment }) => known.has(segment.trim())) ? quoted.length : 0
}

/** The sentences of a text, and where they stand in it without the white space behind them. */
function sentencesOf(text: string): Sentence[] {
  return Array.from(sentenceSegmenter.segment(text), ({ segment, index }) => ({
    segment,
    start: index,
    end: index + segment.trimEnd().length,
  })).filter(({ start, end }) => end > start)
}

/** The number of the list of words that weighs most, the first of equals. */
function mostTelling(lists: readonly (readonly string[])[]): number {
  const holders = new Map<string, number>()
  for (const word of lists.flat()) holders.set(word, (holders.get(word) ?? 0) + 1)
  const weights = lists.map((words) =>
    words.reduce((sum, word) => sum + Math.log1p(lists.length / (holders.get(word) ?? 1)), 0),
  )
  return Math.max(0, weights.indexOf(Math.max(...weights)))
}
