import type { Statement } from '@memory/engine/belief/features'
import type { NameOfQuery } from '@memory/engine/recall/names-of-query'

/** What texts are looked for by. */
export interface Wanted extends Statement {
  /** Identifiers: texts that have one bear on the query however far they are; default none. */
  names?: readonly NameOfQuery[] | undefined
}

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
  /** Whether it has an identifier of the query, or every word that says what that is about, see `everyWordOf`. */
  hasWords?: boolean | undefined
}
