import { norm } from './kernels/dot.ts'

/** The mean direction of several vectors. */
export interface Composition {
  /** Of length 1. */
  vector: Float32Array
  /** Mean resultant length, in [0, 1]: 1 when all agree, near 0 when they cancel. */
  agreement: number
}

/** A mean resultant length below this is rounding of the float32 keys, and its direction means nothing. */
const resultantMin = 1e-6

/**
 * The weighted mean direction of vectors: normalise(sum w_i k_i / |k_i|), and its mean resultant length
 * |sum w_i k_i / |k_i|| / sum |w_i| (Mardia and Jupp, Directional Statistics, 2000, section 9.2).
 * @param keys vectors of one length, none all zero
 * @param weights finite, one a key, not all zero
 * @returns undefined when the keys cancel each other, so that there is no direction
 */
export function compose(keys: readonly Float32Array[], weights: readonly number[]): Composition | undefined {
  // Weights are scaled, since large ones would overflow float64 in the sums.
  const largest = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0)
  const sum = new Float64Array(keys[0]?.length ?? 0)
  let total = 0
  for (const [i, key] of keys.entries()) {
    const weight = (weights[i] as number) / largest
    const scale = weight / norm(key)
    total += Math.abs(weight)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + scale * (key[at] as number)
  }
  const length = norm(sum)
  if (!(length > resultantMin * total)) return undefined
  return { vector: Float32Array.from(sum, (value) => value / length), agreement: Math.min(1, length / total) }
}
