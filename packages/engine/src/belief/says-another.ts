import { type Comparable, readComparable } from '../contradiction/contradiction.ts'
import { findDenial } from '../sleep/conflicts.ts'
import { differUnseen } from './text-ngrams.ts'

/**
 * Whether a text says something else than a statement that it looks like: it has one unknown character for another, or
 * contradicts it, as with another number or a "not". Embeddings hardly tell either.
 * @param knows whether the encoder knows a character
 */
export function saysAnother(statement: string, text: string, knows: (character: string) => boolean): boolean {
  return differUnseen(statement, text, knows) || isDenied(readComparable(statement), readComparable(text))
}

/**
 * Whether a text of nearly the same words contradicts a statement. One that begins with the whole statement states it: what follows
 * is of something else, but for a single word, as a "not" at the end.
 */
function isDenied(statement: Comparable, text: Comparable): boolean {
  const [stated, said] = [statement, text].map(({ reading }) => reading.tokens.map(({ key }) => key))
  const isBegun = stated?.every((key, i) => key === said?.[i]) && (said?.length ?? 0) > stated.length + 1
  return !isBegun && findDenial(statement, text) !== undefined
}
