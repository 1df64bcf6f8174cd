/** A text pattern as a lexical index holds it. */
export interface LexicalDocument {
  idx: number
  text: string
}

/** Results of a lexical search: documents that share a term with the query, best first, on equal scores the lower idx. */
export interface LexicalFound {
  /** The idx of each result. */
  labels: Int32Array
  /** BM25 of each result, above 0. */
  scores: Float64Array
  /** How many documents share a term with the query; there may be more than results. */
  matched: number
  /** Mean score of all documents that the search was restricted to, including those that score 0; 0 without documents. */
  mean: number
  /** Standard deviation of the same scores; 0 without documents. */
  deviation: number
  /**
   * The score that a document of mean length would get if it had every term of the query once, even terms that no document has;
   * 0 without documents.
   */
  full: number
}

/** An index that is searched in its own thread. */
export interface LexicalSearcher {
  search(query: string, k: number, allowed: Uint8Array | undefined): LexicalFound
  score(query: string, labels: Int32Array): Float64Array
}

/**
 * Handle of an index for `searchLexical`. A native one can be posted to any thread and is valid as long as the thread that made
 * the index references it; a local one works only in the thread that made it.
 */
export type LexicalTarget =
  | { kind: 'native'; id: number; among?: number | undefined }
  | { kind: 'local'; searcher: LexicalSearcher }

/** BM25 index over the texts of one space. Only one thread may change it. */
export interface LexicalIndex {
  /** Texts held. */
  readonly size: number
  /** Memory held, in bytes. */
  readonly bytes: number
  readonly target: LexicalTarget
  /**
   * Adds or replaces texts; if an idx is given twice, the last counts. Large batches are added in the background; the promise
   * resolves when searches find all. A later `put` or `remove` of an idx wins over this one, even while this is under way.
   */
  put(documents: readonly LexicalDocument[]): Promise<void>
  /** Removes texts at once, leaving no trace in memory; an unknown idx is ignored. */
  remove(indexes: readonly number[]): void
}
