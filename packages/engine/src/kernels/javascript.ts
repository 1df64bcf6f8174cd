import { dotRow, norm, norms } from './dot.ts'
import { einsum } from './einsum.ts'
import { requireFinite, requireQuery, requireRows } from './finite.ts'
import * as hdc from './hdc.ts'
import { hopfieldStep } from './hopfield.ts'
import type { Hits, Matrix, Selection } from './matrix.ts'
import * as quantize from './quantize.ts'
import { project, rotate, rotateBack, unproject } from './rotation.ts'
import { slerp } from './slerp.ts'
import { logSumExp, softmax } from './softmax.ts'
import { bestRows } from './top-k.ts'
import { vectorTexts } from './vector-text.ts'

export { norm } from './dot.ts'

/** The kernels in plain JavaScript: sums are kept in float64, so cosines are exact to about 1e-15. */
export const javascriptKernels = {
  name: 'javascript' as 'javascript' | 'native',
  nearest,
  nearestMany,
  cosine,
  norms,
  hopfieldStep,
  einsum,
  slerp,
  softmax,
  logSumExp,
  rotate,
  rotateBack,
  project,
  unproject,
  vectorTexts,
  ...hdc,
  ...quantize,
}

/**
 * The numeric work of the engine: pure functions of arrays. The native implementation offers the same functions, passes
 * the same cases, and refuses with an Error of code InvalidArg what this one refuses with a RangeError.
 */
export type Kernels = typeof javascriptKernels

/**
 * The k rows of greatest cosine to `query` that reach `minScore`, best first; none where it is all zero.
 * @param query as many values as the matrix has dimensions
 * @throws RangeError for other dimensions and values that are not finite
 */
function nearest(
  matrix: Matrix,
  query: Float32Array,
  k: number,
  minScore: number,
  selection: Selection,
): Hits {
  const { dimensions, values, inverseNorms } = matrix
  requireQuery(query, dimensions)
  const wide = Float64Array.from(query)
  const scale = 1 / norm(query)
  return bestRows(matrix, k, minScore, selection, (row) =>
    toCosine(dotRow(values, row * dimensions, wide) * scale * (inverseNorms[row] as number)),
  )
}

/** `nearest` for each row of `queries`, with the same results; natively in one pass over the matrix. */
function nearestMany(
  matrix: Matrix,
  queries: Float32Array,
  k: number,
  minScore: number,
  selection: Selection,
): Hits[] {
  const { dimensions } = matrix
  requireFinite('query', queries)
  return Array.from({ length: requireRows(queries, dimensions) }, (_, at) =>
    nearest(matrix, queries.subarray(at * dimensions, (at + 1) * dimensions), k, minScore, selection),
  )
}

/**
 * Cosine of two vectors, in [-1, 1]; NaN where one is all zero or has no dimensions.
 * @throws RangeError for two lengths and values that are not finite
 */
function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new RangeError(`the vectors have ${a.length} and ${b.length} dimensions`)
  requireFinite('a', a)
  requireFinite('b', b)
  return toCosine(dotRow(a, 0, Float64Array.from(b)) / (norm(a) * norm(b)))
}

/**
 * Cosines this near to 1 or -1 are rounded to it: more than float64 sums over 8,192 numbers are off by, and as much as
 * float32 rounds off the direction of a vector.
 */
const rounding = 1e-13

/** A cosine without its rounding near 1 and -1, so that keys that are multiples of each other score the same. */
function toCosine(ratio: number): number {
  return Math.abs(ratio) > 1 - rounding ? Math.sign(ratio) : ratio
}
