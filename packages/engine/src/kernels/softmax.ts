import { requireFinite } from './finite.ts'

/**
 * Weights proportional to exp(beta x): positive, their sum is 1.
 * @throws RangeError for scores, or a beta, that are not finite
 */
export function softmax(scores: Float64Array, beta: number): Float64Array {
  check(scores, beta)
  const largest = largestOf(scores, beta)
  const weights = scores.map((score) => Math.exp(beta * score - largest))
  const total = sumOf(weights)
  return weights.map((weight) => weight / total)
}

/**
 * ln of the sum of exp(beta x), without overflow; -Infinity for no scores.
 * @throws RangeError as `softmax`
 */
export function logSumExp(scores: Float64Array, beta: number): number {
  check(scores, beta)
  if (scores.length === 0) return Number.NEGATIVE_INFINITY
  const largest = largestOf(scores, beta)
  return largest + Math.log(sumOf(scores.map((score) => Math.exp(beta * score - largest))))
}

/** Refuses what is not finite, and products with beta that are too large. */
function check(scores: Float64Array, beta: number): void {
  requireFinite('beta', Float64Array.of(beta))
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] as number
    if (!Number.isFinite(beta * score)) throw new RangeError(`scores is not a finite number at ${at}`)
  }
}

function largestOf(scores: Float64Array, beta: number): number {
  let largest = Number.NEGATIVE_INFINITY
  for (const score of scores) largest = Math.max(largest, beta * score)
  return largest
}

function sumOf(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}
