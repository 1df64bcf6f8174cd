/** A stored text, or a part of one, with its embedding. */
export interface NearText {
  idx: number
  id: string
  text: string
  vector: Float32Array
  /** Cosine with the query. */
  cosine: number
  /** When what it tells of happened, or else when it was stored, in ms since 1970. */
  at: number
  /** If `text` is a passage or a sentence: the whole text that it is of. */
  whole?: string | undefined
  /** Whether it has every word that says what the query is about, see `everyWordOf`. */
  hasWords?: boolean | undefined
}
