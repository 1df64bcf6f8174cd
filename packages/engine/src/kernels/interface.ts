import type { Tensor } from './einsum.ts'
import type * as hdc from './hdc.ts'
import type { HopfieldStep } from './hopfield.ts'
import type { Hits, Matrix, Selection } from './matrix.ts'
import type * as quantize from './quantize.ts'
import type { Blend } from './slerp.ts'

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
