/** The most dimensions that a vector of the service has. */
const dimensionsMax = 8_192

/** Of random signs and a transform each. */
const rounds = 4

/** Part of the published definition: another seed is another rotation. */
const seed = 0x6d656d6f

/**
 * Projects a vector to its first `kept` coordinates under the service's fixed rotation: bit for bit what the service does
 * with a query whose length is a pattern's `source_dim`. Store keys that are projected so, with `source_dim`, and queries
 * of the whole length find them. The rows are orthonormal: cosines need no factor, and the transpose leads back.
 * @throws RangeError for a vector of no or more than 8,192 numbers, or fewer than `kept`
 */
export function project(vector: ArrayLike<number>, kept: number): number[] {
  check(vector.length, kept)
  const numbers = Float32Array.from(vector)
  for (let round = 0; round < rounds; round++) {
    multiplySigns(round, numbers)
    transform(round, numbers)
    walk(round, numbers)
  }
  return Array.from(numbers.subarray(0, kept))
}

/**
 * The transpose of `project`: the vector of `dimensions` numbers that projects to `projected`.
 * @throws RangeError where `projected` has more
 */
export function unproject(projected: ArrayLike<number>, dimensions: number): number[] {
  check(dimensions, projected.length)
  const numbers = new Float32Array(dimensions)
  numbers.set(projected)
  for (let round = rounds - 1; round >= 0; round--) {
    walk(round, numbers)
    transform(round, numbers)
    multiplySigns(round, numbers)
  }
  return Array.from(numbers)
}

function check(dimensions: number, kept: number): void {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > dimensionsMax) {
    throw new RangeError(`A vector has 1 to ${dimensionsMax} dimensions, not ${dimensions}`)
  }
  if (!Number.isInteger(kept) || kept < 0 || kept > dimensions) {
    throw new RangeError(`${dimensions} dimensions have no ${kept} coordinates to keep`)
  }
}

const blockOf = (dimensions: number): number => 2 ** Math.floor(Math.log2(dimensions))

/** The fast Hadamard transform of the first, in odd rounds the last, block of the largest power of two. */
function transform(round: number, vector: Float32Array): void {
  const size = blockOf(vector.length)
  const from = round % 2 === 0 ? 0 : vector.length - size
  const block = vector.subarray(from, from + size)
  for (let half = 1; half < size; half *= 2)
    for (let start = 0; start < size; start += 2 * half)
      for (let i = start; i < start + half; i++) {
        const x = block[i] as number
        const y = block[i + half] as number
        block[i] = x + y
        block[i + half] = x - y
      }
  const scale = Math.fround(1 / Math.sqrt(size))
  for (let i = 0; i < size; i++) block[i] = (block[i] as number) * scale
}

const frac1Sqrt2 = Math.fround(Math.SQRT1_2)

/** A step of Kac's walk: each coordinate of one half by 45 degrees with its partner in the other. */
function walk(round: number, vector: Float32Array): void {
  const { length } = vector
  if (round % 2 === 0 || blockOf(length) === length) return
  const half = Math.floor(length / 2)
  for (let i = 0, j = length - half; i < half; i++, j++) {
    const x = vector[i] as number
    const y = vector[j] as number
    vector[i] = Math.fround(x + y) * frac1Sqrt2
    vector[j] = Math.fround(x - y) * frac1Sqrt2
  }
}

/** By -1 where the lowest bit of a hash is set (`lowbias32` of Wellons' hash prospector, 2018). */
function multiplySigns(round: number, vector: Float32Array): void {
  for (let at = 0; at < vector.length; at++) {
    let hash = seed ^ ((round << 16) | at)
    hash ^= hash >>> 16
    hash = Math.imul(hash, 0x7feb352d)
    hash ^= hash >>> 15
    hash = Math.imul(hash, 0x846ca68b)
    hash ^= hash >>> 16
    if ((hash & 1) === 1) vector[at] = -(vector[at] as number)
  }
}
