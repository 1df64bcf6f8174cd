import { isOfAsking, list, questionWithin } from '../explain/asking.ts'
import { parameters } from '../parameters.ts'
import { sentenceSegmenter } from '../sentence-segmenter.ts'
import { contentOf } from './asks-reported.ts'
import { sizeOf } from './passages.ts'
import { asksQuestion } from './question.ts'
import { persons } from './who-told.ts'
import { spacelessShareOf } from './word-set.ts'

const { sentenceCharacters, sentencesMax, sentenceShareMax, statedWeight } = parameters.recall

/** A view of a query, which is searched for and scored like a query of its own. */
export interface QueryView {
  text: string
  /** In [0, 1]: how much a sentence counts beside the whole query, which counts the rest. Of the whole query 1. */
  share: number
  /** In [0, 1]: how likely it says what is wanted, judged by its form. */
  weight: number
}

/**
 * The views of a query: the whole, and each of its sentences if it has several. Any of them may say what is wanted, and the whole
 * would drown it: the smaller a part of the query a sentence is, the more it counts, up to `sentenceShareMax`. What asks
 * nothing weighs `statedWeight` beside what asks something, and so does what says nothing of what it is about. Of a query of very
 * many sentences some stand together, so that there are at most `sentencesMax`.
 * @returns the whole query first; alone if it is one sentence
 */
export function viewsOf(query: string): QueryView[] {
  const whole = { text: query, share: 1, weight: 1 }
  const sentences = sentencesOf(query)
    .flatMap(atQuestion)
    .filter((part) => sizeOf(part) >= sentenceCharacters)
  if (sentences.length < 2) return [whole]
  const parts = joined(sentences)
  const says = parts.some(saysWhat) ? saysWhat : () => true
  const isAsking = parts.map((part) => asks(part) && says(part))
  const weightOthers = isAsking.includes(true) ? statedWeight : 1
  return [
    whole,
    ...parts.map((text, i) => ({
      text,
      share: Math.min(sentenceShareMax, 1 - text.length / query.length),
      weight: isAsking[i] ? 1 : says(text) ? weightOthers : statedWeight,
    })),
  ]
}

/**
 * Whether a sentence says what it is about: "Can you find it?" asks for what another one names, and "How are you?" for nothing.
 */
const saysWhat = (sentence: string): boolean => !greeting.test(sentence) && hasContent(sentence)

/** Asks how somebody is. */
const greeting =
  /^[\p{P}\s]*(?:how(?: are|'s| is) (?:you|it going|everything|things)|wie geht(?:'s| es)|comment (?:ça va|vas|allez)|ça va|qué tal|cómo est[áa]s?|come (?:va|stai|sta)|como (?:vai|está)|tudo bem|hoe gaat|hur mår|hvordan (?:går|har du)|как (?:дела|ты|вы)|як справи|jak się masz)(?!\p{L})[\p{L}\s]{0,12}[\p{P}\s]*$|^[\p{P}\s]*(?:你好吗|你怎么样|お元気ですか)/iu

const hasContent = (sentence: string): boolean =>
  // What is written in kana alone may be a word, or the end of one.
  /\p{sc=Hiragana}/u.test(sentence) ||
  contentOf(sentence).some((word) => !isOfAsking(word) && !persons.has(word) && !ofHelp.has(word))

/** What else is asked for in words that say nothing of it. */
const ofHelp = new Set(
  list(`help|idea|ideas|think|thoughts|possible|hilfe|helfen|hilfst|helft|weiterhelfen|ideen|idee|aide|aider|aidez|aides|idees|
    ayuda|ayudar|ayudas|ayudame|aiuta|aiutare|aiuti|aiutarmi|ajuda|ajudar|helpen|hjalpa|hjelpe|hjaelpe|pomoc|pomozesz|pomoct|
    помочь|поможешь|можешь|можете|помогите|помощь|можеш|допоможеш|能|帮|幫|忙|请|請|可|以|一|下|找|手|伝|助`),
)

/** Joins neighbours, so that there are at most `sentencesMax` parts of about the same length. */
function joined(sentences: readonly string[]): string[] {
  if (sentences.length <= sentencesMax) return [...sentences]
  const size = sentences.reduce((sum, { length }) => sum + length, 0) / sentencesMax
  const parts: string[] = []
  let before = 0
  for (const sentence of sentences) {
    const place = Math.min(sentencesMax - 1, Math.floor((before + sentence.length / 2) / size))
    parts[place] = parts[place] === undefined ? sentence : `${parts[place]} ${sentence}`
    before += sentence.length
  }
  return parts.filter((part) => part !== undefined)
}

/** Whether a sentence asks something. Questions within quotation marks are somebody else's. */
const asks = (sentence: string): boolean => asksQuestion(sentence.replaceAll(quoted, ' '))

/** A sentence that asks, in two where nothing ends what stands before the question: "I am at the office Where is my key?" */
function atQuestion(sentence: string): string[] {
  const at = asks(sentence) ? questionWithin(sentence) : 0
  return at > 0 ? [sentence.slice(0, at).trim(), sentence.slice(at)] : [sentence]
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

/** The sentences of a text. Rejoins what the segmenter wrongly cuts within an address (a.b). */
function sentencesOf(text: string): string[] {
  const parts: string[] = []
  for (const { segment } of sentenceSegmenter.segment(text)) {
    const before = parts.at(-1)
    const isOpen = before !== undefined && /[a-z\d]\p{P}$/iu.test(before)
    if (isOpen && /^[a-z\d]/i.test(segment)) parts[parts.length - 1] = before + segment
    else parts.push(segment)
  }
  return parts.map((part) => part.trim()).filter((part) => part.length > 0)
}

/**
 * The part of a query that most likely says what is wanted, by its form alone: of the sentences that say what they are about those
 * that ask, or else the last one; the whole query where that is a large part of it.
 */
export function wantedBy(query: string): string {
  const sentences = sentencesOf(query).filter(saysWhat)
  const asking = sentences.filter(asks)
  const wanted = asking.length > 0 ? asking.join(' ') : (sentences.at(-1) ?? '')
  return sizeOf(wanted) >= sentenceCharacters && 3 * wanted.length < query.length ? wanted : query
}
