/** Product of two rows of arrays, in four sums side by side. */
function dot(
  a: ArrayLike<number>,
  startA: number,
  b: ArrayLike<number>,
  startB: number,
  length: number,
): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  let i = 0
  for (; i < length - 3; i += 4) {
    s0 += (a[startA + i] as number) * (b[startB + i] as number)
    s1 += (a[startA + i + 1] as number) * (b[startB + i + 1] as number)
    s2 += (a[startA + i + 2] as number) * (b[startB + i + 2] as number)
    s3 += (a[startA + i + 3] as number) * (b[startB + i + 3] as number)
  }
  for (; i < length; i++) s0 += (a[startA + i] as number) * (b[startB + i] as number)
  return s0 + s1 + s2 + s3
}

/** Makes rows orthonormal, in place (modified Gram and Schmidt, twice); those that depend on others become 0. */
export function orthonormalise(rows: Float64Array, dimensions: number): void {
  const count = rows.length / dimensions
  for (let n = 0; n < count; n++) {
    const row = rows.subarray(n * dimensions, (n + 1) * dimensions)
    const before = Math.sqrt(dot(row, 0, row, 0, dimensions))
    for (let round = 0; round < 2; round++) {
      for (let other = 0; other < n; other++) {
        const share = dot(rows, other * dimensions, row, 0, dimensions)
        for (let i = 0; i < dimensions; i++)
          row[i] = (row[i] as number) - share * (rows[other * dimensions + i] as number)
      }
    }
    const length = Math.sqrt(dot(row, 0, row, 0, dimensions))
    const scale = length > 1e-10 * before ? 1 / length : 0
    for (let i = 0; i < dimensions; i++) row[i] = scale * (row[i] as number)
  }
}

/** Far more sweeps than a matrix takes to converge. */
const sweepsMax = 50

/**
 * Eigenvectors and eigenvalues of a small symmetric matrix, by Jacobi's rotations.
 * @param matrix `size` rows of `size` numbers
 * @returns vectors of length 1, a row each, by descending eigenvalue
 */
export function symmetricEigenvectors(
  matrix: Float64Array,
  size: number,
): { vectors: Float64Array; values: Float64Array } {
  const a = Float64Array.from(matrix)
  const v = Float64Array.from({ length: size * size }, (_, at) => (at % (size + 1) === 0 ? 1 : 0))
  const rotate = (values: Float64Array, i: number, j: number, c: number, s: number) => {
    const [x, y] = [values[i] as number, values[j] as number]
    values[i] = c * x - s * y
    values[j] = s * x + c * y
  }
  const trace = a.reduce((sum, value) => sum + Math.abs(value), 0)
  for (let sweep = 0; sweep < sweepsMax; sweep++) {
    let off = 0
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        const between = a[p * size + q] as number
        off += Math.abs(between)
        if (between === 0) continue
        const theta = ((a[q * size + q] as number) - (a[p * size + p] as number)) / (2 * between)
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1))
        const c = 1 / Math.hypot(t, 1)
        const s = t * c
        for (let k = 0; k < size; k++) rotate(a, k * size + p, k * size + q, c, s)
        for (let k = 0; k < size; k++) rotate(a, p * size + k, q * size + k, c, s)
        for (let k = 0; k < size; k++) rotate(v, p * size + k, q * size + k, c, s)
      }
    }
    if (off <= 1e-14 * trace) break
  }
  const order = Array.from({ length: size }, (_, n) => n).sort(
    (x, y) => (a[y * size + y] as number) - (a[x * size + x] as number),
  )
  return {
    vectors: Float64Array.from(order.flatMap((n) => [...v.subarray(n * size, (n + 1) * size)])),
    values: Float64Array.from(order, (n) => a[n * size + n] as number),
  }
}
