import type { Tensor } from './einsum.ts'
import type * as hdc from './hdc.ts'
import type { HopfieldStep } from './hopfield.ts'
import type * as quantize from './quantize.ts'
import type { Blend } from './slerp.ts'

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

type HdcKernels = typeof hdc
type QuantizeKernels = typeof quantize

/**
 * The numeric work of the engine: pure functions of arrays. A native implementation offers the same functions and
 * passes the same cases as the JavaScript one. What a function computes stands with its JavaScript form.
 */
export interface Kernels extends HdcKernels, QuantizeKernels {
  name: 'javascript' | 'native'
  /**
   * The k rows of greatest cosine to `query` that reach `minScore`; none where it is all zero.
   * @param query as many values as the matrix has dimensions
   * @throws RangeError, natively an Error with code InvalidArg, for other dimensions and values that are not finite
   */
  nearest(matrix: Matrix, query: Float32Array, k: number, minScore: number, selection: Selection): Hits
  /** `nearest` for each row of `queries`, with the same results; natively in one pass over the matrix. */
  nearestMany(
    matrix: Matrix,
    queries: Float32Array,
    k: number,
    minScore: number,
    selection: Selection,
  ): Hits[]
  /**
   * Cosine of two vectors, in [-1, 1]; NaN where one is all zero or has no dimensions.
   * @throws as `nearest`, for two lengths and values that are not finite
   */
  cosine(a: Float32Array, b: Float32Array): number
  /** Euclidean length of each row. */
  norms(values: Float32Array, dimensions: number): Float64Array
  hopfieldStep(
    values: Float32Array,
    inverseNorms: Float64Array,
    state: Float32Array,
    beta: number,
  ): HopfieldStep
  einsum(spec: string, a: Tensor, b: Tensor): Tensor
  slerp(a: Float32Array, b: Float32Array, alpha: number): Blend
  softmax(scores: Float64Array, beta: number): Float64Array
  logSumExp(scores: Float64Array, beta: number): number
  rotate(vector: Float32Array): Float32Array
  rotateBack(rotated: Float32Array): Float32Array
  project(vector: Float32Array, kept: number): Float32Array
  unproject(projected: Float32Array, dimensions: number): Float32Array
  vectorTexts(values: Float32Array, dimensions: number): string[]
}
