import { kernels, RowFlag } from '@memory/engine/kernels/kernels'

/**
 * Cosines between rows and directions, bit for bit equal to those of a search, since the same kernel computes them.
 * @param rows row after row, `dimensions` values each, none all zero
 * @param directions of `dimensions` values, none all zero
 * @returns row after row, one cosine for each direction
 */
export function rowCosines(
  rows: Float32Array,
  dimensions: number,
  directions: readonly Float32Array[],
): Float64Array {
  const count = rows.length / dimensions
  const matrix = {
    dimensions,
    count,
    values: rows,
    inverseNorms: kernels.norms(rows, dimensions).map((norm) => 1 / norm),
    labels: Int32Array.from({ length: count }, (_, row) => row),
    flags: new Uint8Array(count).fill(RowFlag.alive),
  }
  const found = kernels.nearestMany(matrix, concatVectors(directions, dimensions), count, -1, {
    requiredFlags: RowFlag.alive,
  })
  const cosines = new Float64Array(count * directions.length)
  for (const [at, { labels, scores }] of found.entries()) {
    for (const [i, row] of labels.entries()) cosines[row * directions.length + at] = scores[i] as number
  }
  return cosines
}

/** Joins vectors of one length into one array. */
export function concatVectors(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const all = new Float32Array(vectors.length * dimensions)
  for (const [row, vector] of vectors.entries()) all.set(vector, row * dimensions)
  return all
}
