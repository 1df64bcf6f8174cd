import { accel } from '@memory/accel'
import { JavascriptLexical } from './javascript-lexical.ts'
import type { LexicalIndex } from './lexical-index.ts'
import { NativeLexical } from './native-lexical.ts'

/** An empty lexical index: native where the addon is there, else in JavaScript. */
export function newLexical(): LexicalIndex {
  return accel === null ? new JavascriptLexical() : new NativeLexical(new accel.Lexicon())
}
