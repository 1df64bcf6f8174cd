import { finiteResult, requireFinite } from './finite.ts'

/** The largest dimension that can be rotated. */
export const rotationDimensionsMax = 8_192

/**
 * Rounds of a rotation, of random signs and a transform each. After two, every input reaches every output; four bring the
 * outputs of any input close to independent Gaussians.
 */
const rounds = 4

/** Part of the published definition: another seed is another rotation. */
const seed = 0x6d656d6f

/**
 * The service's fixed rotation of vectors of one dimension. A round multiplies with random signs and takes the fast
 * Hadamard transform of the first, in odd rounds the last, block of the largest power of two (Ailon & Chazelle, SIAM
 * J. Comput. 2009). Where that is not the whole vector, an odd round also rotates each coordinate of one half with its
 * partner in the other by 45 degrees, a step of Kac's walk, so that halves whose blocks share few coordinates mix. A
 * step after even rounds too would keep spikes: a coordinate outside of a block would meet one that the other block
 * leaves out.
 *
 * All steps are single additions and multiplications rounded to float32 in a fixed order, so every implementation
 * gives the same bits.
 */
export class Rotation {
  readonly dimensions: number
  readonly #signs: Float32Array[]
  readonly #block: number

  /** @throws RangeError outside of 1 to `rotationDimensionsMax` dimensions */
  constructor(dimensions: number) {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > rotationDimensionsMax)
      throw new RangeError(`a rotation has 1 to ${rotationDimensionsMax} dimensions, not ${dimensions}`)
    this.dimensions = dimensions
    this.#signs = Array.from({ length: rounds }, (_, round) =>
      Float32Array.from({ length: dimensions }, (_, at) => sign(round, at)),
    )
    this.#block = 2 ** Math.floor(Math.log2(dimensions))
  }

  /** Rotates a vector of the rotation's dimensions in place; lengths and angles stay. */
  apply(vector: Float32Array): void {
    for (let round = 0; round < rounds; round++) {
      multiply(vector, this.#signs[round]!)
      this.#transform(round, vector)
      this.#walk(round, vector)
    }
  }

  /** Undoes `apply`: every step but the order is its own inverse. */
  invert(vector: Float32Array): void {
    for (let round = rounds - 1; round >= 0; round--) {
      this.#walk(round, vector)
      this.#transform(round, vector)
      multiply(vector, this.#signs[round]!)
    }
  }

  #transform(round: number, vector: Float32Array): void {
    const from = round % 2 === 0 ? 0 : this.dimensions - this.#block
    const block = vector.subarray(from, from + this.#block)
    hadamard(block)
    const scale = Math.fround(1 / Math.sqrt(this.#block))
    for (let i = 0; i < block.length; i++) block[i] = block[i]! * scale
  }

  /** The middle coordinate of an odd number has no partner. */
  #walk(round: number, vector: Float32Array): void {
    if (round % 2 === 0 || this.#block === this.dimensions) return
    const half = Math.floor(this.dimensions / 2)
    for (let i = 0, j = this.dimensions - half; i < half; i++, j++) {
      const x = vector[i]!
      const y = vector[j]!
      vector[i] = Math.fround(x + y) * frac1Sqrt2
      vector[j] = Math.fround(x - y) * frac1Sqrt2
    }
  }
}

const frac1Sqrt2 = Math.fround(Math.SQRT1_2)

/** A vector rotated; lengths and angles stay. @throws RangeError for values, and sums of them, that are not finite */
export function rotate(vector: Float32Array): Float32Array {
  requireFinite('vector', vector)
  const rotated = vector.slice()
  new Rotation(vector.length).apply(rotated)
  return finiteResult({}, rotated)
}

/** Undoes `rotate`. @throws RangeError as it */
export function rotateBack(rotated: Float32Array): Float32Array {
  requireFinite('rotated', rotated)
  const vector = rotated.slice()
  new Rotation(rotated.length).invert(vector)
  return finiteResult({}, vector)
}

/**
 * The first `kept` coordinates of the rotated vector: a projection with orthonormal rows.
 * @throws RangeError where the vector has fewer than `kept`, or values that are not finite
 */
export function project(vector: Float32Array, kept: number): Float32Array {
  checkProjection(vector.length, kept)
  return rotate(vector).slice(0, kept)
}

/**
 * The transpose of `project`: the vector of `dimensions` in the subspace that projects to `projected`.
 * @throws RangeError where `projected` has more, or values that are not finite
 */
export function unproject(projected: Float32Array, dimensions: number): Float32Array {
  checkProjection(dimensions, projected.length)
  requireFinite('projected', projected)
  const vector = new Float32Array(dimensions)
  vector.set(projected)
  new Rotation(dimensions).invert(vector)
  return finiteResult({}, vector)
}

function checkProjection(dimensions: number, kept: number): void {
  if (kept > dimensions) throw new RangeError(`${dimensions} dimensions have no ${kept} coordinates to keep`)
}

/** Walsh-Hadamard transform in place, not normalised; the length is a power of two. */
function hadamard(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2)
    for (let start = 0; start < values.length; start += 2 * half)
      for (let i = start; i < start + half; i++) {
        const x = values[i]!
        const y = values[i + half]!
        values[i] = x + y
        values[i + half] = x - y
      }
}

function multiply(vector: Float32Array, signs: Float32Array): void {
  for (let i = 0; i < vector.length; i++) vector[i] = vector[i]! * signs[i]!
}

/** -1 where the lowest bit of the hash is set (`lowbias32` of Wellons' hash prospector, 2018). */
function sign(round: number, at: number): number {
  let hash = seed ^ ((round << 16) | at)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x7feb352d)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x846ca68b)
  hash ^= hash >>> 16
  return (hash & 1) === 0 ? 1 : -1
}
