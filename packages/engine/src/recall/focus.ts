import { parameters } from '../parameters.ts'
import { sentenceSegmenter } from '../sentence-segmenter.ts'
import { sizeOf } from './passages.ts'
import { asksQuestion } from './question.ts'
import { spacelessShareOf } from './word-set.ts'

const { focusCharacters, focusWhole, focusStated } = parameters.recall

/** A view of a query, which is searched for and scored like a query of its own. */
export interface QueryView {
  text: string
  /** How much the view counts; those of a query sum to 1. */
  share: number
}

/**
 * The views of a query: the whole, and if it has several sentences the focus, which says what is wanted. The focus is all
 * sentences that ask something (questions within quotation marks are somebody else's), or else the last sentence. The rest of a
 * long query would drown its question, so the focus counts the more the smaller a part of the query it is: its share is
 * 1 - focusWhole (characters of the focus / characters of the query), times `focusStated` if it asks nothing.
 * @returns the whole query first; alone if there is no focus, or it is nearly the whole
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

/** How a view is worded, which decides how much lexical matches count. */
export interface Wording {
  /** The share of its letters and digits, in [0, 1], that is in scripts without white space between words. */
  spaceless: number
  /** Whether it asks something. */
  asks: boolean
  /** Length in UTF-16 units. */
  characters: number
}

export const wordingOf = (text: string): Wording => ({
  spaceless: spacelessShareOf(text),
  asks: asksQuestion(text),
  characters: text.length,
})

/** A quotation, or its beginning where a sentence ends within it. */
const quoted = /["“„«][^"“”„«»]*(?:["“”»]|$)/gu

/** Text that ends in an abbreviation ("Mr.", "St.", an initial), whose dot does not end a sentence. */
const abbreviation = /(?:^|[\s(])(?:\p{Lu}\p{L}{0,3}|\p{L})\.\s*$/u

/** What may end a sentence. A text without any is one sentence, so the slow segmenter is not needed. */
const mayEnd = /[\p{Sentence_Terminal}\n\r\u0085\u2028\u2029]/u

/** The sentences of a text. Rejoins what the segmenter wrongly cuts within an address (a.b) or after an abbreviation. */
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

/** The text of the view of a query that counts most. */
export const wantedBy = (query: string): string =>
  viewsOf(query).reduce((most, view) => (view.share > most.share ? view : most)).text
