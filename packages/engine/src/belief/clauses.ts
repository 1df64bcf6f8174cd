import { readComparable } from '../contradiction/contradiction.ts'
import type { Reading, Token } from '../contradiction/tokens.ts'
import { exchangedWord } from './exchanged-word.ts'
import { saidWithin } from './said-within.ts'
import { saysAnother } from './says-another.ts'
import { textNgrams } from './text-ngrams.ts'

/**
 * Least share of a clause's n-grams in a text that it may be taken from. Of the sentence pairs of stsb-multi-mt (dev, eleven
 * languages) that people call the same, 93 % have it, of sentences of different pairs 2 %; with 0.3 these are 96 and 4 %, with 0.5
 * 85 and 1 %.
 */
const coveredMin = 0.4

/** A part of a statement, and the text that has most of its n-grams. */
export interface Clause {
  text: string
  told: string
}

/**
 * Whether one of the texts that a statement is put together of says something else than the part that looks like it: that Ada does
 * not live in Lisbon, or Ben does, where Ada does.
 * @param knows whether the encoder knows a character
 */
export function isPartDenied(clauses: readonly Clause[], knows: (character: string) => boolean): boolean {
  return clauses.some(({ text, told }) => saysAnother(text, told, knows))
}

/** A text, and the same with a word of a statement in the place of its own. */
export interface Exchange {
  told: string
  exchanged: string
}

/** The texts of which a statement that is put together has one word for another: that Ada lives in Porto, not in Lisbon. */
export function exchangesIn(statement: string, clauses: readonly Clause[]): Exchange[] {
  const whole = readComparable(statement)
  return clauses.flatMap(({ text, told }) => {
    const [part, other] = [readComparable(text), readComparable(told)]
    const place = exchangedWord(part, other, whole)
    if (place === undefined) return []
    const [own, replaced] = [spanOf(part.reading, place.one), spanOf(other.reading, place.other)]
    const exchanged =
      other.reading.text.slice(0, replaced.from) +
      part.reading.text.slice(own.from, own.to) +
      other.reading.text.slice(replaced.to)
    return { told, exchanged }
  })
}

/**
 * The clauses of a statement: its parts, joined where the same text has most of several in a row. Parts that no text has much
 * of are left out, and of a text of several sentences all but those like the clause. Empty where there are not two.
 * @param texts that the statement may be put together of, best first
 */
export function clausesOf(statement: string, texts: readonly string[]): Clause[] {
  const { reading, parts } = partsOf(statement)
  if (parts.length < 2) return []
  const held = texts.map((text) => ({ text, ngrams: textNgrams(text) }))
  const clauses: (Clause & Part)[] = []
  for (const { from, to } of parts) {
    const last = clauses.at(-1)
    const text = reading.text.slice(from, to)
    const told = mostCovering(text, held, last?.told)
    if (told === undefined) continue
    if (last?.told !== told) clauses.push({ text, told, from, to })
    else Object.assign(last, { to, text: reading.text.slice(last.from, to) })
  }
  if (clauses.length < 2) return []
  return clauses.map(({ text, told }) => ({ text, told: saidWithin(text)(told)?.text ?? told }))
}

/** The text that has most of a part, of equals the one of the part before or else the first; undefined where none has much. */
function mostCovering(
  part: string,
  texts: readonly { text: string; ngrams: ReadonlySet<string> }[],
  before: string | undefined,
): string | undefined {
  const ngrams = [...textNgrams(part)]
  let most = Math.max(1, coveredMin * ngrams.length)
  let told: string | undefined
  for (const one of texts) {
    const covered = ngrams.filter((ngram) => one.ngrams.has(ngram)).length
    const isPreferred = told === undefined || one.text === before
    if (covered < most || (covered === most && !isPreferred)) continue
    told = one.text
    most = covered
  }
  return told
}

/** Where a part of a statement begins and ends, in what was read of it. */
interface Part {
  from: number
  to: number
}

const startOf = ({ end, raw }: Token): number => end - raw.length

/** Where the tokens of a range, which has some, begin and end in what was read. */
function spanOf({ tokens }: Reading, [from, to]: readonly [from: number, to: number]): Part {
  return { from: startOf(tokens[from] as Token), to: (tokens[to - 1] as Token).end }
}

/** Parts of a statement between words for "and", sentence ends, commas and the like. */
function partsOf(statement: string): { reading: Reading; parts: Part[] } {
  const { reading, lexicon } = readComparable(statement)
  const isJoin = ({ key }: Token) => lexicon?.joins.has(key) ?? false
  const parts: Token[][] = [[]]
  for (const [at, token] of reading.tokens.entries()) {
    const between = reading.text.slice(reading.tokens[at - 1]?.end ?? 0, startOf(token))
    if (isJoin(token) || token.isSetOff || /\p{Sentence_Terminal}/u.test(between)) parts.push([])
    if (!isJoin(token)) parts.at(-1)?.push(token)
  }
  const placed = parts.flatMap((tokens) =>
    tokens.length === 0 ? [] : spanOf({ text: reading.text, tokens }, [0, tokens.length]),
  )
  return { reading, parts: placed }
}
