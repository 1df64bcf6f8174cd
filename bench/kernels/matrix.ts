import { javascriptKernels } from '../../packages/engine/src/kernels/javascript.ts'
import type { Matrix } from '../../packages/engine/src/kernels/kernels.ts'

/** Numbers of a vector. */
export const dimensions = 384
/** Lets every row in. */
export const alive = { requiredFlags: 1 }

/** Rows as a search reads them, named by their numbers. */
export function toMatrix(values: Float32Array): Matrix {
  const count = values.length / dimensions
  return {
    dimensions,
    count,
    values,
    inverseNorms: javascriptKernels.norms(values, dimensions).map((norm) => 1 / norm),
    labels: Int32Array.from({ length: count }, (_, row) => row),
    flags: new Uint8Array(count).fill(1),
  }
}

/** Random rows in memory that threads share, as the index holds them. */
export function newMatrix(count: number): Matrix {
  return toMatrix(randomVector(count * dimensions))
}

/** Numbers from -1 to 1 in memory that threads share. */
export function randomVector(length: number): Float32Array {
  const vector = new Float32Array(new SharedArrayBuffer(4 * length))
  for (let i = 0; i < length; i++) vector[i] = Math.random() * 2 - 1
  return vector
}
