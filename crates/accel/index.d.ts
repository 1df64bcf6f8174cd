/** Vectors of one length, row after row. All arrays may be longer than `count` rows and shared between threads. */
export interface Matrix {
  dimensions: number
  count: number
  values: Float32Array
  /** 1 / Euclidean norm of each row. */
  inverseNorms: Float64Array
  labels: Int32Array
  flags: Uint8Array
}

export interface Selection {
  requiredFlags: number
  allowed?: Uint8Array | undefined
}

export interface Hits {
  labels: Int32Array
  scores: Float64Array
}

export interface Blend {
  vector: Float32Array
  /** Angle between the two vectors in radians. */
  angle: number
  type: 'spherical' | 'linear' | 'antipodal'
}

/** An array of several dimensions, row-major. */
export interface Tensor {
  shape: number[]
  values: Float32Array
}

/** Rows of bytes: about value = code * scale of its row. */
export interface ByteCodes {
  codes: Int8Array
  scales: Float64Array
  /** 1 / Euclidean norm of each row's codes; 0 for a row of zeros. */
  inverseNorms: Float64Array
}

/** `values` are the codes, `inverseNorms` those of the codes. */
export type ByteMatrix = Omit<Matrix, 'values'> & { values: Int8Array }

/** A row is `dimensions` bits, padded to words of 32. */
export type SignMatrix = Omit<Matrix, 'values' | 'inverseNorms'> & { values: Uint32Array }

/** Functions throw an Error with code InvalidArg for arguments that do not fit. */
export interface Accel {
  name: 'native'
  /**
   * The k rows of greatest cosine to `query` that reach `minScore`, best first, the lower label on equal scores.
   */
  nearest(matrix: Matrix, query: Float32Array, k: number, minScore: number, selection: Selection): Hits
  /** Cosine of two vectors of equal length, neither all zero; in [-1, 1]. */
  cosine(a: Float32Array, b: Float32Array): number
  /** The largest magnitude of each row becomes 127. */
  quantizeBytes(values: Float32Array, dimensions: number): ByteCodes
  /** The k rows whose codes have the greatest cosine to the query's. */
  nearestBytes(
    matrix: ByteMatrix,
    query: Float32Array,
    k: number,
    minScore: number,
    selection: Selection,
  ): Hits
  /** A bit a value, set where it is above 0. */
  quantizeSigns(values: Float32Array, dimensions: number): Uint32Array
  /** The k rows whose signs agree with the query's in most dimensions: 1 - 2 * share of those that differ. */
  nearestSigns(
    matrix: SignMatrix,
    query: Float32Array,
    k: number,
    minScore: number,
    selection: Selection,
  ): Hits
  /** Spherical interpolation of the directions, linear interpolation of the lengths. */
  slerp(a: Float32Array, b: Float32Array, alpha: number): Blend
  softmax(scores: Float64Array, beta: number): Float64Array
  logSumExp(scores: Float64Array, beta: number): number
  /** Element by element a * b. */
  bindProduct(a: Float32Array, b: Float32Array): Float32Array
  unbindProduct(bound: Float32Array, a: Float32Array): Float32Array
  /** Circular convolution. */
  bindCircular(a: Float32Array, b: Float32Array): Float32Array
  /** Circular correlation of `bound` with `a`. */
  unbindCircular(bound: Float32Array, a: Float32Array): Float32Array
  /** Weighted sum of rows. */
  bundle(values: Float32Array, dimensions: number, weights: Float64Array): Float32Array
  /** Moves every element `shift` places on, the last ones to the front. */
  permute(a: Float32Array, shift: number): Float32Array
  /** Einstein summation over two operands, as 'bd,nd->bn'; sums are in float32. */
  einsum(spec: string, a: Tensor, b: Tensor): Tensor
  /** Sum of all values: how fast memory can be read, for benchmarks. */
  sum(values: Float32Array): number
  /** `instructionSet`: avx512f, avx2+fma, neon or scalar. */
  features(): { instructionSet: string }
}

/** The native kernels, or null where the addon was not built or ACCEL=js. */
export const accel: Accel | null
