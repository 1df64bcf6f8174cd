import { requireFinite, requireQuery, requireRows } from './finite.ts'
import type { Hits, Matrix, Selection } from './matrix.ts'
import { bestRows, TopK } from './top-k.ts'

/** Rows as int8 codes: a value is about its code times the scale of its row. */
export interface ByteCodes {
  codes: Int8Array
  scales: Float64Array
  /** 1 / Euclidean norm of each row's codes; 0 for a row of zeros. */
  inverseNorms: Float64Array
}

/** A matrix of int8 codes: `values` are the codes, `inverseNorms` those of the codes. */
export type ByteMatrix = Omit<Matrix, 'values'> & { values: Int8Array }

/**
 * Rounds rows to int8 codes: the largest magnitude of each row becomes 127.
 * @throws RangeError for rows that are not whole, and values that are not finite
 */
export function quantizeBytes(values: Float32Array, dimensions: number): ByteCodes {
  const count = requireRows(values, dimensions)
  requireFinite('values', values)
  const codes = new Int8Array(values.length)
  const scales = new Float64Array(count)
  const inverseNorms = new Float64Array(count)
  for (let row = 0; row < count; row++) {
    const end = (row + 1) * dimensions
    let largest = 0
    for (let at = row * dimensions; at < end; at++)
      largest = Math.max(largest, Math.abs(values[at] as number))
    const scale = largest / 127
    let squares = 0
    for (let at = row * dimensions; at < end; at++) {
      const code = Math.floor((values[at] as number) / scale + 0.5)
      codes[at] = code
      squares += (codes[at] as number) ** 2
    }
    scales[row] = scale
    inverseNorms[row] = squares === 0 ? 0 : 1 / Math.sqrt(squares)
  }
  return { codes, scales, inverseNorms }
}

/**
 * The k rows whose codes have the greatest cosine to the query's, as estimates of the cosines of the keys.
 * @throws RangeError for a query of other dimensions, and for values that are not finite
 */
export function nearestBytes(
  matrix: ByteMatrix,
  query: Float32Array,
  k: number,
  minScore: number,
  selection: Selection,
): Hits {
  const { dimensions, values, inverseNorms } = matrix
  requireQuery(query, dimensions)
  if (dimensions === 0) return new TopK(0).sorted()
  const wanted = quantizeBytes(query, dimensions)
  const scale = wanted.inverseNorms[0] as number
  return bestRows(matrix, k, minScore, selection, (row) => {
    let product = 0
    for (let i = 0, at = row * dimensions; i < dimensions; i++, at++)
      product += (values[at] as number) * (wanted.codes[i] as number)
    return Math.min(1, Math.max(-1, product * scale * (inverseNorms[row] as number)))
  })
}
