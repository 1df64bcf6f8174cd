import { accel } from '@memory/accel'
import { JavascriptLexical } from './javascript-lexical.ts'
import type { LexicalIndex } from './lexical-index.ts'
import { NativeLexical } from './native-lexical.ts'

/** An empty lexical index in native memory, or without the addon in JavaScript's. */
export function newLexical(): LexicalIndex {
  return accel === null ? new JavascriptLexical() : new NativeLexical(new accel.Lexicon())
}
