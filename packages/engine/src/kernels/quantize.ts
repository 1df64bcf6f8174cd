import { requireFinite, requireQuery } from './finite.ts'
import type { Hits, Matrix, Selection } from './matrix.ts'
import { TopK } from './top-k.ts'

/** Rows of bytes: about value = code * scale of its row. */
export interface ByteCodes {
  codes: Int8Array
  scales: Float64Array
  /** 1 / Euclidean norm of each row's codes; 0 for a row of zeros. */
  inverseNorms: Float64Array
}

/** `values` are the codes, `inverseNorms` those of the codes. */
export type ByteMatrix = Omit<Matrix, 'values'> & { values: Int8Array }

/** A row is `dimensions` bits, padded with zeros to words of 32. */
export type SignMatrix = Omit<Matrix, 'values' | 'inverseNorms'> & { values: Uint32Array }

/**
 * The largest magnitude of each row becomes 127.
 * @throws RangeError for rows that are not whole, and values that are not finite
 */
export function quantizeBytes(values: Float32Array, dimensions: number): ByteCodes {
  const count = rowsOf(values, dimensions)
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

/** The k rows whose codes have the greatest cosine to the query's. */
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
  return scan(matrix, k, minScore, selection, (row) => {
    let product = 0
    for (let i = 0, at = row * dimensions; i < dimensions; i++, at++)
      product += (values[at] as number) * (wanted.codes[i] as number)
    return Math.min(1, Math.max(-1, product * scale * (inverseNorms[row] as number)))
  })
}

/** A bit a value, set where it is above 0. @throws RangeError as `quantizeBytes` */
export function quantizeSigns(values: Float32Array, dimensions: number): Uint32Array {
  const count = rowsOf(values, dimensions)
  requireFinite('values', values)
  const words = Math.ceil(dimensions / 32)
  const codes = new Uint32Array(count * words)
  for (let row = 0; row < count; row++)
    for (let i = 0; i < dimensions; i++)
      if ((values[row * dimensions + i] as number) > 0) {
        const word = row * words + (i >> 5)
        codes[word] = (codes[word] as number) | (1 << (i & 31))
      }
  return codes
}

/** The k rows whose signs agree with the query's in most dimensions: score is 1 - 2 * share of those that differ. */
export function nearestSigns(
  matrix: SignMatrix,
  query: Float32Array,
  k: number,
  minScore: number,
  selection: Selection,
): Hits {
  const { dimensions, values } = matrix
  requireQuery(query, dimensions)
  if (dimensions === 0) return new TopK(0).sorted()
  const wanted = quantizeSigns(query, dimensions)
  const words = wanted.length
  return scan(matrix, k, minScore, selection, (row) => {
    let differ = 0
    for (let i = 0, at = row * words; i < words; i++, at++)
      differ += bits((values[at] as number) ^ (wanted[i] as number))
    return 1 - (2 * differ) / dimensions
  })
}

function scan(
  { count, labels, flags }: Pick<Matrix, 'count' | 'labels' | 'flags'>,
  k: number,
  minScore: number,
  { requiredFlags, allowed }: Selection,
  scoreOf: (row: number) => number,
): Hits {
  const best = new TopK(Math.min(k, count))
  for (let row = 0; row < count; row++) {
    if (((flags[row] as number) & requiredFlags) !== requiredFlags) continue
    if (allowed !== undefined && allowed[row] === 0) continue
    const score = scoreOf(row)
    if (score >= minScore) best.offer(score, labels[row] as number)
  }
  return best.sorted()
}

/** How many bits of a word are set. */
function bits(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function rowsOf(values: Float32Array, dimensions: number): number {
  if (dimensions === 0 ? values.length > 0 : values.length % dimensions !== 0)
    throw new RangeError(`${values.length} values are no whole rows of ${dimensions} dimensions`)
  return dimensions === 0 ? 0 : values.length / dimensions
}
