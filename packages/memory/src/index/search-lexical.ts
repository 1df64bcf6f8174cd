import { accel } from '@memory/accel'
import type { LexicalFound, LexicalTarget } from './lexical-index.ts'

/**
 * The k documents of greatest BM25 score, in whatever thread the target may be searched.
 * @param allowed bit idx % 8 of byte idx / 8 lets a document in; undefined: all. Weights of terms are those of all
 * documents in any case.
 */
export function searchLexical(
  target: LexicalTarget,
  query: string,
  k: number,
  allowed?: Uint8Array,
): LexicalFound {
  if (target.kind === 'local') return target.searcher.search(query, k, allowed)
  return native().searchLexicon(target.id, query, k, allowed)
}

/** The BM25 score of each document; 0 for those that are not there. */
export function scoreLexical(target: LexicalTarget, query: string, labels: Int32Array): Float64Array {
  if (target.kind === 'local') return target.searcher.score(query, labels)
  return native().scoreLexicon(target.id, query, labels)
}

function native(): NonNullable<typeof accel> {
  if (accel === null) throw new Error('A native lexical index was made without the native addon.')
  return accel
}
