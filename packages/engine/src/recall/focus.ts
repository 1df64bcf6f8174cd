import { parameters } from '../parameters.ts'
import { sentenceSegmenter } from '../sentence-segmenter.ts'
import { sizeOf } from './passages.ts'
import { asksQuestion } from './question.ts'
import { spacelessShareOf } from './word-set.ts'

const { focusCharacters, focusWhole, focusStated } = parameters.recall

/** A view of a query and how much it counts: those of a query are 1 in sum. */
export interface QueryView {
  text: string
  share: number
}

/**
 * The views that a query is seen in: the whole, and of several sentences also those that say what is wanted, which are all
 * that ask, or else the last; what is quoted was asked by somebody else. What stands around a question drowns it, so the whole counts the less the more of it is
 * around: views share by 1 - 1.5 (what is wanted / whole), in characters. A last sentence that asks nothing counts half of
 * what a question would.
 * @returns the whole query first; alone where there is nothing to tell apart
 */
export function viewsOf(query: string): QueryView[] {
  const parts = sentencesOf(query)
  const asking = parts.filter((part) => asksQuestion(part.replaceAll(quoted, ' ')))
  const focus = asking.length > 0 ? asking.join(' ') : (parts.at(-1) ?? '')
  const around = 1 - (focusWhole * focus.length) / Math.max(1, query.length)
  const share = around * (asking.length > 0 ? 1 : focusStated)
  if (parts.length < 2 || sizeOf(focus) < focusCharacters || share <= 0) return [{ text: query, share: 1 }]
  return [
    { text: query, share: 1 - share },
    { text: focus, share },
  ]
}

/** What of a view says how much its words count. */
export interface Wording {
  /** Which share of its letters is in scripts without white space between words. */
  spaceless: number
  asks: boolean
  /** Its length. */
  characters: number
}

export const wordingOf = (text: string): Wording => ({
  spaceless: spacelessShareOf(text),
  asks: asksQuestion(text),
  characters: text.length,
})

/** A quotation, or its beginning where a sentence ends within it. */
const quoted = /["“„«][^"“”„«»]*(?:["“”»]|$)/gu

/** Ends no sentence: "Mr.", "St.", an initial. */
const abbreviation = /(?:^|[\s(])(?:\p{Lu}\p{L}{0,3}|\p{L})\.\s*$/u

/** What may end a sentence: without one of these a text is one, which is told much sooner. */
const mayEnd = /[\p{Sentence_Terminal}\n\r\u0085\u2028\u2029]/u

/** The sentences of a text. A mark within an address or behind an abbreviation is none's end. */
function sentencesOf(text: string): string[] {
  const trimmed = text.trim()
  if (!mayEnd.test(trimmed.slice(0, -1))) return trimmed === '' ? [] : [trimmed]
  const parts: string[] = []
  for (const { segment } of sentenceSegmenter.segment(text)) {
    const before = parts.at(-1)
    const isOpen = before !== undefined && (abbreviation.test(before) || /[a-z\d]\p{P}$/iu.test(before))
    if (isOpen && (/^[a-z\d]/i.test(segment) || abbreviation.test(before))) {
      parts[parts.length - 1] = before + segment
    } else parts.push(segment)
  }
  return parts.map((part) => part.trim()).filter((part) => part.length > 0)
}

/** The view of a query that counts most: what is wanted. */
export const wantedBy = (query: string): string =>
  viewsOf(query).reduce((most, view) => (view.share > most.share ? view : most)).text
