/** Weights proportional to exp(beta x): positive, their sum is 1. */
export function softmax(scores: Float64Array, beta: number): Float64Array {
  const largest = largestOf(scores, beta)
  const weights = scores.map((score) => Math.exp(beta * score - largest))
  const total = sumOf(weights)
  return weights.map((weight) => weight / total)
}

/** ln of the sum of exp(beta x), without overflow; -Infinity for no scores. */
export function logSumExp(scores: Float64Array, beta: number): number {
  if (scores.length === 0) return Number.NEGATIVE_INFINITY
  const largest = largestOf(scores, beta)
  return largest + Math.log(sumOf(scores.map((score) => Math.exp(beta * score - largest))))
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
