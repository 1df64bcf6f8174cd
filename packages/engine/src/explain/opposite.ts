import { type Comparable, readComparable } from '../contradiction/contradiction.ts'
import { comparePolarity } from '../contradiction/polarity.ts'
import { isSameStem } from '../contradiction/stems.ts'
import type { Token } from '../contradiction/tokens.ts'
import { parameters } from '../parameters.ts'
import { sentenceSegmenter } from '../sentence-segmenter.ts'
import { asksForValue } from './asking.ts'

/**
 * Whether a text tells the opposite of what a question asks to be told: when the gym closes, not opens; what Paul owes me, not
 * I him. A question that wants a yes or no is answered by the opposite as well.
 */
export function asksOpposite(question: string, text: string): boolean {
  if (!asksForValue(question)) return false
  const asked = readComparable(question)
  // What another sentence tells may be of something else.
  const told = mostSharing(text, asked.reading.tokens)
  // Of both together more words tell the language.
  const { lexicon } = readComparable(`${question} ${told.reading.text}`)
  const isOpposite =
    lexicon !== undefined &&
    comparePolarity({ reading: asked.reading, lexicon }, { reading: told.reading, lexicon }) === 'opposite'
  return isOpposite || isTurnedRound(asked.reading.tokens, told.reading.tokens)
}

/** The sentence of a text that has most words of a question, the first of equals. */
function mostSharing(text: string, question: readonly Token[]): Comparable {
  const beginning = text.slice(0, parameters.contradiction.textCharacters)
  const sentences = Array.from(sentenceSegmenter.segment(beginning), ({ segment }) => readComparable(segment))
  const counts = sentences.map(({ reading }) => sharing(question, reading.tokens).length)
  return sentences[counts.indexOf(Math.max(...counts))] ?? readComparable(text)
}

/** Subject forms of pronouns, by their object forms. */
const actors = new Map([
  ['me', 'i'],
  ['him', 'he'],
  ['us', 'we'],
  ['them', 'they'],
])
const actorOf = (key: string): string => actors.get(key) ?? key
/** Shorter words, in UTF-16 units, have a stem in common with others by chance. */
const stemMin = 3

/** Whether two words are forms of one. */
function areForms(a: string, b: string): boolean {
  const [one, other] = [actorOf(a), actorOf(b)]
  return one === other || (Math.min(a.length, b.length) >= stemMin && isSameStem(a, b))
}

/** The words of a text that another has in some form. */
const sharing = (tokens: readonly Token[], others: readonly Token[]): string[] =>
  tokens.filter(({ key }) => others.some((other) => areForms(key, other.key))).map(({ key }) => key)

/**
 * Whether the words that a question shares with a text stand there the other way round, with the one that acts in the place
 * of the other: "I owe Paul", "Paul owes me".
 */
function isTurnedRound(question: readonly Token[], text: readonly Token[]): boolean {
  const [asked, told] = [sharing(question, text), sharing(text, question)]
  const last = asked.length - 1
  if (last < 2 || told.length !== asked.length) return false
  // One pronoun in two forms tells that one acts and the other is acted upon.
  const isActor = (at: number) => actors.has(told[at] ?? '') !== actors.has(asked[last - at] ?? '')
  return (
    (isActor(0) || isActor(last)) &&
    asked.every((key, at) => {
      const opposite = at === 0 ? last : at === last ? 0 : at
      return areForms(key, told[opposite] as string)
    })
  )
}
