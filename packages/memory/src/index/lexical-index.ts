/** A text pattern as a lexical index holds it. */
export interface LexicalDocument {
  idx: number
  text: string
}

/** Results of a lexical search, best first, the lower label on equal scores: only documents with a term of the query. */
export interface LexicalFound {
  labels: Int32Array
  /** BM25, above 0. */
  scores: Float64Array
  /** Documents that have a term of the query. */
  matched: number
  /** Of the scores of all documents that the search was restricted to, those that are 0 too; 0 where there is none. */
  mean: number
  /** Standard deviation of the scores of all documents that the search was restricted to; 0 where there is none. */
  deviation: number
  /**
   * What a document of mean length would score that has every term of the query once, also those that no document has;
   * 0 where there is no document.
   */
  full: number
}

/** What is searched where it lives. */
export interface LexicalSearcher {
  search(query: string, k: number, allowed: Uint8Array | undefined): LexicalFound
  score(query: string, labels: Int32Array): Float64Array
}

/**
 * What a search searches. A native one can be posted to another thread, and stays valid while the index is referred to
 * here; a local one is searched in the thread that made it.
 */
export type LexicalTarget = { kind: 'native'; id: number } | { kind: 'local'; searcher: LexicalSearcher }

/** BM25 over the text patterns of one space, changed by one thread. */
export interface LexicalIndex {
  /** Texts held. */
  readonly size: number
  /** Memory held, in bytes. */
  readonly bytes: number
  readonly target: LexicalTarget
  /**
   * Adds texts, and replaces those that are there; of an idx given twice the last counts. Many are added in the
   * background, and the promise is kept when searches find all. Whatever is written to an idx after this call stays.
   */
  put(documents: readonly LexicalDocument[]): Promise<void>
  /** Removes texts at once, with all that is left of them; those that are not there are ignored. */
  remove(indexes: readonly number[]): void
}
