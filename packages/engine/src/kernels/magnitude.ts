/** A vector times a power of two. */
export interface Scaled {
  vector: Float32Array
  /** The vector that was scaled is 2^exponent times this one. */
  exponent: number
}

/**
 * Scales a vector so that its largest magnitude is about 1, which leaves its direction and lets no sum of its numbers
 * overflow float32. What is less than 2^-126 of the largest loses bits, else it is exact.
 * @param vector finite
 */
export function toUnitMagnitude(vector: Float32Array): Scaled {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const exponent = largest === 0 ? 0 : Math.ceil(Math.log2(largest))
  const factor = 2 ** -exponent
  return { vector: vector.map((value) => value * factor), exponent }
}
