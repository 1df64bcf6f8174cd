import { type BeliefModel, beliefClasses, standardise } from '../../packages/engine/src/belief/model.ts'
import type { Case } from './cases.ts'

/**
 * Fits a multinomial logistic regression by Newton's method to convergence.
 *
 * @param ridge penalty on the squared weights but the intercepts', in cases
 */
export function fitModel(cases: readonly Case[], features: readonly string[], ridge: number): BeliefModel {
  const column = (i: number) => cases.map((one) => one.features[i] as number)
  const means = features.map((_, i) => average(column(i)))
  const deviations = features.map(
    (_, i) => Math.sqrt(average(column(i).map((x) => (x - (means[i] as number)) ** 2))) || 1,
  )
  const least = features.map((_, i) => column(i).reduce((a, b) => Math.min(a, b)))
  const greatest = features.map((_, i) => column(i).reduce((a, b) => Math.max(a, b)))
  const scaling = { least, greatest, means, deviations }
  const rows = cases.map((one) => Float64Array.of(1, ...standardise(one.features, scaling)))
  const targets = cases.map(({ truth }) => beliefClasses.indexOf(truth))
  return { features: [...features], ...scaling, weights: maximise(rows, targets, ridge) }
}

function maximise(rows: readonly Float64Array[], targets: readonly number[], ridge: number): number[][] {
  const classes = beliefClasses.length
  const width = (rows[0] as Float64Array).length
  const size = classes * width
  const weights = new Float64Array(size)
  for (let round = 0; round < 50; round++) {
    const gradient = new Float64Array(size)
    const hessian = Array.from({ length: size }, () => new Float64Array(size))
    for (const [n, row] of rows.entries()) {
      const p = probabilities(weights, row)
      for (let a = 0; a < classes; a++) {
        const error = (p[a] as number) - (targets[n] === a ? 1 : 0)
        addTo(gradient, a * width, row, error)
        for (let b = 0; b <= a; b++) {
          const curvature = (p[a] as number) * ((a === b ? 1 : 0) - (p[b] as number))
          for (let i = 0; i < width; i++) {
            addTo(hessian[a * width + i] as Float64Array, b * width, row, curvature * (row[i] as number))
          }
        }
      }
    }
    for (let i = 0; i < size; i++) {
      // The intercepts' tiny penalty only picks one of the equal solutions.
      const penalty = i % width === 0 ? 1e-3 : ridge
      gradient[i] = (gradient[i] as number) + penalty * (weights[i] as number)
      const row = hessian[i] as Float64Array
      row[i] = (row[i] as number) + penalty
    }
    const step = solveSymmetric(hessian, gradient)
    let longest = 0
    for (let i = 0; i < size; i++) {
      weights[i] = (weights[i] as number) - (step[i] as number)
      longest = Math.max(longest, Math.abs(step[i] as number))
    }
    if (longest < 1e-6) break
  }
  return Array.from({ length: classes }, (_, a) => Array.from(weights.subarray(a * width, (a + 1) * width)))
}

function probabilities(weights: Float64Array, row: Float64Array): number[] {
  const logits = beliefClasses.map((_, a) => {
    let sum = 0
    for (let i = 0; i < row.length; i++) sum += (weights[a * row.length + i] as number) * (row[i] as number)
    return sum
  })
  const largest = Math.max(...logits)
  const exponentials = logits.map((x) => Math.exp(x - largest))
  const total = exponentials.reduce((a, b) => a + b)
  return exponentials.map((x) => x / total)
}

/** Cholesky's decomposition of a matrix of which only the lower half is read. */
function solveSymmetric(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const n = right.length
  const x = Float64Array.from(right)
  for (let i = 0; i < n; i++) {
    const row = matrix[i] as Float64Array
    for (let j = 0; j <= i; j++) {
      const other = matrix[j] as Float64Array
      let sum = row[j] as number
      for (let k = 0; k < j; k++) sum -= (row[k] as number) * (other[k] as number)
      row[j] = i === j ? Math.sqrt(sum) : sum / (other[j] as number)
    }
    let value = x[i] as number
    for (let k = 0; k < i; k++) value -= (row[k] as number) * (x[k] as number)
    x[i] = value / (row[i] as number)
  }
  for (let i = n - 1; i >= 0; i--) {
    let value = x[i] as number
    for (let k = i + 1; k < n; k++) value -= ((matrix[k] as Float64Array)[i] as number) * (x[k] as number)
    x[i] = value / ((matrix[i] as Float64Array)[i] as number)
  }
  return x
}

function addTo(target: Float64Array, start: number, row: Float64Array, factor: number): void {
  for (let i = 0; i < row.length; i++)
    target[start + i] = (target[start + i] as number) + factor * (row[i] as number)
}

function average(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length
}
