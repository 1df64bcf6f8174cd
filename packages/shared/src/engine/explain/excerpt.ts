import { parameters } from '../parameters.ts'
import type { ExplanationLanguage } from './languages.ts'
import { sharedTerms } from './terms.ts'

const { quoteChars } = parameters.explain

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

/** Part of a text, character by character as it stands there. */
export interface Excerpt {
  text: string
  /** Sentences in it; equal to `of` when it is the whole text. */
  sentences: number
  of: number
}

/**
 * What to quote of a text: all of it, or of a long one as many whole sentences in a row as fit, beginning with the one
 * that has most words in common with the query. At least one sentence, however long.
 * @param query its content words
 */
export function excerptOf(
  text: string,
  query: ReadonlyMap<string, string>,
  language: ExplanationLanguage,
): Excerpt {
  if (text.trim().length <= quoteChars) return { text: text.trim(), sentences: 1, of: 1 }
  const sentences = Array.from(segmenter.segment(text), ({ segment, index }) => ({
    segment,
    start: index,
    end: index + segment.trimEnd().length,
  })).filter(({ start, end }) => end > start)
  const shared = sentences.map(({ segment }) => sharedTerms(query, segment, language).length)
  const first = shared.indexOf(Math.max(...shared))
  const start = sentences[first]?.start ?? 0
  const fitting = sentences.slice(first).findIndex(({ end }) => end - start > quoteChars)
  const count = fitting === -1 ? sentences.length - first : Math.max(1, fitting)
  const end = sentences[first + count - 1]?.end ?? text.length
  return { text: text.slice(start, end).trim(), sentences: count, of: sentences.length }
}
