import type { Hits, Kernels, Matrix, Selection } from './interface.ts'
import { TopK } from './top-k.ts'

/** The kernels in plain JavaScript: sums are kept in float64, so cosines are exact to about 1e-15. */
export const javascriptKernels: Kernels = { name: 'javascript', nearest, cosine }

function nearest(
  matrix: Matrix,
  query: Float32Array,
  k: number,
  minScore: number,
  selection: Selection,
): Hits {
  const { dimensions, count, values, inverseNorms, labels, flags } = matrix
  const { requiredFlags, allowed } = selection
  const scale = 1 / Math.sqrt(dot(query, 0, query, 0, dimensions))
  const best = new TopK(Math.min(k, count))
  for (let row = 0; row < count; row++) {
    if (((flags[row] as number) & requiredFlags) !== requiredFlags) continue
    if (allowed !== undefined && allowed[row] === 0) continue
    const product = dot(values, row * dimensions, query, 0, dimensions)
    const score = clampCosine(product * scale * (inverseNorms[row] as number))
    if (score >= minScore) best.offer(score, labels[row] as number)
  }
  return best.sorted()
}

function cosine(a: Float32Array, b: Float32Array): number {
  const length = a.length
  const norms = Math.sqrt(dot(a, 0, a, 0, length)) * Math.sqrt(dot(b, 0, b, 0, length))
  return clampCosine(dot(a, 0, b, 0, length) / norms)
}

function clampCosine(value: number): number {
  return Math.min(1, Math.max(-1, value))
}

/** Four sums side by side: a single one would wait for each addition (3.4 against 4.9 ms for 10,000 x 384). */
export function dot(
  a: Float32Array,
  aStart: number,
  b: Float32Array,
  bStart: number,
  length: number,
): number {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let i = 0
  for (; i + 4 <= length; i += 4) {
    s0 += (a[aStart + i] as number) * (b[bStart + i] as number)
    s1 += (a[aStart + i + 1] as number) * (b[bStart + i + 1] as number)
    s2 += (a[aStart + i + 2] as number) * (b[bStart + i + 2] as number)
    s3 += (a[aStart + i + 3] as number) * (b[bStart + i + 3] as number)
  }
  for (; i < length; i++) s0 += (a[aStart + i] as number) * (b[bStart + i] as number)
  return s0 + s1 + (s2 + s3)
}
