import { accel } from '@memory/accel'
import type { LexicalFound, LexicalTarget } from './lexical-index.ts'

/**
 * The k documents with the greatest BM25 score. A native target can be searched in any thread.
 * @param allowed bit idx % 8 of byte idx / 8 lets a document in; undefined: all. Term weights always come from all documents.
 */
export function searchLexical(
  target: LexicalTarget,
  query: string,
  k: number,
  allowed?: Uint8Array,
): LexicalFound {
  if (target.kind === 'local') return target.searcher.search(query, k, allowed)
  return native().searchLexicon(target.id, query, k, allowed, target.among)
}

/** The BM25 score of each document in `labels` (by idx); 0 for one that is not in the index. */
export function scoreLexical(target: LexicalTarget, query: string, labels: Int32Array): Float64Array {
  if (target.kind === 'local') return target.searcher.score(query, labels)
  return native().scoreLexicon(target.id, query, labels)
}

function native(): NonNullable<typeof accel> {
  if (accel === null) throw new Error('A native lexical index was made without the native addon.')
  return accel
}
