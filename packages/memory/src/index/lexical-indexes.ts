import { accel } from '@memory/accel'
import { JavascriptLexical } from './javascript-lexical.ts'
import type { LexicalIndex } from './lexical-index.ts'
import { NativeLexical } from './native-lexical.ts'

/**
 * An empty lexical index: native where the addon is there, else in JavaScript.
 * @param among the index of the texts that those of this one are passages of: terms are weighted as there, and lengths compared
 *   with the mean there, so that the scores of both compare. Default: this one itself
 */
export function newLexical(among?: LexicalIndex): LexicalIndex {
  return accel === null
    ? new JavascriptLexical(among instanceof JavascriptLexical ? among : undefined)
    : new NativeLexical(new accel.Lexicon(), among instanceof NativeLexical ? among : undefined)
}
