import { parameters } from '../parameters.ts'

const { coherenceFull, coherenceDoubt } = parameters.recall

/**
 * How far store order says what belongs together, in [0, 1]: the mean centred cosine of keys that were stored one after
 * the other, less two standard errors, as a share of what full trust needs. Where order means nothing (rows of a table,
 * say) that mean is 0, and contiguity would only add noise.
 * @param pairs keys of one length that were stored one or two places apart, from all over the space
 * @param centre the mean of the space's keys
 */
export function sequenceCoherence(
  pairs: readonly (readonly [Float32Array, Float32Array])[],
  centre: Float32Array,
): number {
  let sum = 0
  let squares = 0
  let count = 0
  for (const [a, b] of pairs) {
    const cosine = centredCosine(a, b, centre)
    if (cosine === undefined) continue
    sum += cosine
    squares += cosine * cosine
    count++
  }
  if (count < 2) return 0
  const mean = sum / count
  const variance = Math.max(0, squares / count - mean * mean)
  const certain = mean - coherenceDoubt * Math.sqrt(variance / (count - 1))
  return Math.min(1, Math.max(0, certain / coherenceFull))
}

/** Undefined where a key is the centre, so that it has no direction from there. */
function centredCosine(a: Float32Array, b: Float32Array, centre: Float32Array): number | undefined {
  let dot = 0
  let squareA = 0
  let squareB = 0
  for (let i = 0; i < centre.length; i++) {
    const x = (a[i] ?? 0) - (centre[i] as number)
    const y = (b[i] ?? 0) - (centre[i] as number)
    dot += x * y
    squareA += x * x
    squareB += y * y
  }
  const cosine = dot / Math.sqrt(squareA * squareB)
  return Number.isFinite(cosine) ? cosine : undefined
}
