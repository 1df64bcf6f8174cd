/**
 * Vector symbolic operations. `bindProduct` suits vectors of 1 and -1, `bindCircular` (holographic reduced
 * representations, Plate 1995) vectors of random direction. Vectors of one call have one length.
 * Values that are not finite are refused with a RangeError, and so are results that are too large for float32.
 */

import { finiteResult, requireFinite } from './finite.ts'

/** Element by element a * b. */
export function bindProduct(a: Float32Array, b: Float32Array): Float32Array {
  checkLengths(a, b)
  const bound = new Float32Array(a.length)
  for (let i = 0; i < a.length; i++) bound[i] = (a[i] as number) * (b[i] as number)
  return finiteResult({ a, b }, bound)
}

/** The most dimensions of a sum of no vectors, which have no length of their own. */
const dimensionsMax = 2 ** 24

/** Weighted sum of the rows of a matrix: superposition. @param weights one a row */
export function bundle(values: Float32Array, dimensions: number, weights: Float64Array): Float32Array {
  if (values.length !== dimensions * weights.length)
    throw new RangeError(`${weights.length} weights and ${values.length} values for ${dimensions} dimensions`)
  if (weights.length === 0 && dimensions > dimensionsMax)
    throw new RangeError(`a matrix of 0 x ${dimensions} is larger than memory can be`)
  requireFinite('weights', weights)
  const sum = new Float64Array(dimensions)
  for (let row = 0, at = 0; row < weights.length; row++) {
    const weight = weights[row] as number
    for (let i = 0; i < dimensions; i++, at++) sum[i] = (sum[i] as number) + weight * (values[at] as number)
  }
  return finiteResult({ values }, Float32Array.from(sum))
}

/** Circular convolution: element k is the sum over i of a[i] * b[(k - i) mod n]. */
export function bindCircular(a: Float32Array, b: Float32Array): Float32Array {
  checkLengths(a, b)
  return finiteResult({ a, b }, convolution(a, b))
}

function convolution(a: Float32Array, b: Float32Array): Float32Array {
  const length = a.length
  // Transforms of a power of two that is long enough for the whole linear convolution, so that any length will do.
  let size = 1
  while (size < 2 * length) size *= 2
  // Both real vectors in one complex one: its transform squared has twice the product in the imaginary part.
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  real.set(a)
  imaginary.set(b)
  transform(real, imaginary)
  for (let i = 0; i < size; i++) {
    const re = real[i] as number
    const im = imaginary[i] as number
    real[i] = re * re - im * im
    // Negated: the transform of the conjugate is the conjugate of the inverse transform.
    imaginary[i] = -2 * re * im
  }
  transform(real, imaginary)
  return Float32Array.from(a, (_, k) => {
    const wrapped = (imaginary[k] as number) + (imaginary[k + length] as number)
    return -wrapped / (2 * size)
  })
}

/** Circular correlation of `bound` with `a`: about the vector that `bindCircular` bound with `a`, plus noise. */
export function unbindCircular(bound: Float32Array, a: Float32Array): Float32Array {
  checkLengths(bound, a)
  const reversed = a.map((_, i) => a[(a.length - i) % a.length] as number)
  return finiteResult({ bound, a }, convolution(reversed, bound))
}

/** Fourier transform in place, radix 2. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      swap(real, i, j)
      swap(imaginary, i, j)
    }
  }
  for (let half = 1; half < size; half *= 2) {
    for (let k = 0; k < half; k++) {
      const cosine = Math.cos((Math.PI * k) / half)
      const sine = -Math.sin((Math.PI * k) / half)
      for (let i = k; i < size; i += 2 * half) {
        const re = real[i + half]! * cosine - imaginary[i + half]! * sine
        const im = real[i + half]! * sine + imaginary[i + half]! * cosine
        real[i + half] = real[i]! - re
        imaginary[i + half] = imaginary[i]! - im
        real[i] = real[i]! + re
        imaginary[i] = imaginary[i]! + im
      }
    }
  }
}

function swap(values: Float64Array, i: number, j: number): void {
  const kept = values[i] as number
  values[i] = values[j] as number
  values[j] = kept
}

function checkLengths(a: Float32Array, b: Float32Array): void {
  if (a.length !== b.length) throw new RangeError(`the vectors have ${a.length} and ${b.length} dimensions`)
}
