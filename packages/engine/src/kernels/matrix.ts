/** Vectors of one length, row after row, as a search reads them. All arrays may be shared between threads. */
export interface Matrix {
  dimensions: number
  /** Rows in use; the arrays may be longer. */
  count: number
  /** count x dimensions float32 values. */
  values: Float32Array
  /** 1 / Euclidean norm of each row. */
  inverseNorms: Float64Array
  /** What a row is called in results; ties go to the lower label. */
  labels: Int32Array
  /** Bits of each row (see `RowFlag`); 0 is a deleted row. */
  flags: Uint8Array
}

/** Bits of a row's flags: `alive` until the row is deleted, `text` where it is of a text pattern. */
export const RowFlag = { alive: 1, text: 2 } as const

/** Which rows of a matrix a search looks at. */
export interface Selection {
  /** A row counts when all these bits are set in its flags. */
  requiredFlags: number
  /** One byte a row, 0 leaves the row out; absent: all rows. */
  allowed?: Uint8Array | undefined
}

/** Results of a search, best first: equal length, `scores` are cosines in [-1, 1]. */
export interface Hits {
  labels: Int32Array
  scores: Float64Array
}
