/** Examples as rows of numbers, each with the index of its class. */
export interface Examples {
  readonly rows: readonly Float32Array[]
  readonly labels: readonly number[]
}

/** A linear score for each class: `weights` holds one row of `dimensions` numbers a class. */
export interface LinearModel {
  readonly dimensions: number
  readonly weights: Float64Array
  readonly biases: Float64Array
}

/**
 * Multinomial logistic regression: the least mean cross-entropy plus `penalty`/2 times the squared weights (biases
 * are free), by Nesterov's accelerated gradient for strongly convex functions (Nesterov 2004, section 2.2) with the
 * step 1/L. L is the penalty and half the largest eigenvalue of the examples' second moments, which bounds the
 * curvature of the cross-entropy (Boehning 1992). No randomness: the same examples give the same model.
 */
export function fitRegression(
  { rows, labels }: Examples,
  classes: number,
  penalty: number,
  iterations: number,
): LinearModel {
  const width = (rows[0]?.length ?? 0) + 1
  const smoothness = largestEigenvalue(rows) / 2 + penalty
  const ratio = Math.sqrt(penalty / smoothness)
  const momentum = (1 - ratio) / (1 + ratio)
  // The last column is the bias.
  let current = new Float64Array(classes * width)
  let previous = current
  for (let step = 0; step < iterations; step++) {
    const ahead = current.map((value, i) => value + momentum * (value - previous[i]!))
    const gradient = crossEntropyGradient(rows, labels, ahead, classes, width)
    previous = current
    current = ahead.map((value, i) => {
      const shrink = i % width === width - 1 ? 0 : penalty * value
      return value - (gradient[i]! + shrink) / smoothness
    })
  }
  const weights = new Float64Array(classes * (width - 1))
  const biases = new Float64Array(classes)
  for (let c = 0; c < classes; c++) {
    weights.set(current.subarray(c * width, (c + 1) * width - 1), c * (width - 1))
    biases[c] = current[(c + 1) * width - 1]!
  }
  return { dimensions: width - 1, weights, biases }
}

/** The natural logarithms of the classes' probabilities. */
export function logProbabilities(row: Float32Array, { dimensions, weights, biases }: LinearModel): number[] {
  const scores = Array.from(biases, (bias, c) => {
    let score = bias
    for (let i = 0; i < dimensions; i++) score += weights[c * dimensions + i]! * row[i]!
    return score
  })
  const most = Math.max(...scores)
  const logSum = most + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - most), 0))
  return scores.map((score) => score - logSum)
}

function crossEntropyGradient(
  rows: readonly Float32Array[],
  labels: readonly number[],
  parameters: Float64Array,
  classes: number,
  width: number,
): Float64Array {
  const gradient = new Float64Array(parameters.length)
  const scores = new Float64Array(classes)
  for (let n = 0; n < rows.length; n++) {
    const row = rows[n]!
    let most = Number.NEGATIVE_INFINITY
    for (let c = 0; c < classes; c++) {
      let score = parameters[(c + 1) * width - 1]!
      for (let i = 0; i < width - 1; i++) score += parameters[c * width + i]! * row[i]!
      scores[c] = score
      if (score > most) most = score
    }
    let sum = 0
    for (let c = 0; c < classes; c++) {
      scores[c] = Math.exp(scores[c]! - most)
      sum += scores[c]!
    }
    for (let c = 0; c < classes; c++) {
      const error = (scores[c]! / sum - (labels[n] === c ? 1 : 0)) / rows.length
      for (let i = 0; i < width - 1; i++) gradient[c * width + i]! += error * row[i]!
      gradient[(c + 1) * width - 1]! += error
    }
  }
  return gradient
}

/** Of the mean of x xᵀ, each x with a 1 for the bias appended; by power iteration, rounded up by a tenth. */
function largestEigenvalue(rows: readonly Float32Array[]): number {
  const width = (rows[0]?.length ?? 0) + 1
  let vector = new Float64Array(width).fill(1 / Math.sqrt(width))
  let value = 0
  for (let step = 0; step < 50; step++) {
    const next = new Float64Array(width)
    for (const row of rows) {
      let product = vector[width - 1]!
      for (let i = 0; i < row.length; i++) product += row[i]! * vector[i]!
      for (let i = 0; i < row.length; i++) next[i]! += (product * row[i]!) / rows.length
      next[width - 1]! += product / rows.length
    }
    value = Math.hypot(...next)
    vector = next.map((x) => x / value)
  }
  return value * 1.1
}
