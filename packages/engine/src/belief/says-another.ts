import { type Comparable, readComparable } from '../contradiction/contradiction.ts'
import { findDenial } from '../sleep/conflicts.ts'
import { differUnseen } from './text-ngrams.ts'

/**
 * Whether a text says something else than a statement that it looks like: it has one unknown character for another, or
 * contradicts it, as with another number or a "not". Embeddings hardly tell either.
 * @param knows whether the encoder knows a character
 */
export function saysAnother(statement: string, text: string, knows: (character: string) => boolean): boolean {
  if (differUnseen(statement, text, knows)) return true
  const [stated, said] = [readComparable(statement), readComparable(text)]
  return haveOtherTones(stated, said) || isDenied(stated, said)
}

/**
 * Whether two texts of Vietnamese have the same letters and other accents, which make other words there. Elsewhere, and by who
 * writes none at all, they are left out or written in several ways: that says nothing.
 */
function haveOtherTones(...both: [Comparable, Comparable]): boolean {
  if (!both.some(({ language }) => language === 'vi')) return false
  const [keys, words] = (['key', 'lower'] as const).map((form) =>
    both.map(({ reading }) => reading.tokens.map((token) => token[form]).join(' ')),
  ) as [string[], string[]]
  return keys[0] === keys[1] && words[0] !== words[1] && words.every((text, i) => text !== keys[i])
}

/**
 * Whether a text of nearly the same words contradicts a statement. A text that begins with the whole statement and goes on states
 * it, unless a single word follows, which may be a "not".
 */
function isDenied(statement: Comparable, text: Comparable): boolean {
  const [stated, said] = [statement, text].map(({ reading }) => reading.tokens.map(({ key }) => key))
  const isBegun = stated?.every((key, i) => key === said?.[i]) && (said?.length ?? 0) > stated.length + 1
  return !isBegun && findDenial(statement, text) !== undefined
}
