/** What part of a vector a few others explain together. */
export interface Pursuit {
  /** Share of the vector's squared length explained by the best 1, 2, … vectors: from 0 to 1, never falling. */
  shares: number[]
  /** Which were taken, in the order taken; fewer than asked for when no further one explains more. */
  chosen: number[]
}

/** Below this share of its own squared length, a vector lies in the span of the others. */
const independent = 1e-6
/** A correlation with the residual as small as this is rounding. */
const negligible = 1e-6

/**
 * Non-negative orthogonal matching pursuit (Bruckstein, Elad and Zibulevsky, On the uniqueness of nonnegative sparse
 * solutions to underdetermined systems of equations, IEEE Transactions on Information Theory 54(11), 2008): each step
 * takes the vector most correlated with what is not explained yet, then fits all that were taken anew, none with a
 * negative weight. Vectors need no unit length; one of another length than the query, or zero, is never taken.
 */
export function matchingPursuit(
  from: Float32Array,
  vectors: readonly Float32Array[],
  steps: number,
): Pursuit {
  // One kind of array throughout: the sums below run several times as fast.
  const query = new Float64Array(from)
  const energy = dot(query, query)
  const directions = vectors.map((vector) => (vector.length === query.length ? unit(vector) : undefined))
  const chosen: Float64Array[] = []
  const pursuit: Pursuit = { shares: [], chosen: [] }
  let residual: Float64Array | undefined = query
  let share = 0
  for (let step = 0; step < steps; step++) {
    const best: number = residual === undefined || !(energy > 0) ? -1 : mostCorrelated(residual, directions)
    const correlation = best < 0 ? 0 : dot(residual as Float64Array, directions[best] as Float64Array)
    if (correlation > negligible * Math.sqrt(energy)) {
      chosen.push(directions[best] as Float64Array)
      pursuit.chosen.push(best)
      const weights = fitNonNegative(query, chosen)
      residual = subtract(query, chosen, weights)
      share = Math.max(share, Math.min(1, 1 - dot(residual, residual) / energy))
    } else {
      residual = undefined
    }
    pursuit.shares.push(share)
  }
  return pursuit
}

/**
 * Non-negative least squares of a vector on a few unit vectors, by definition: of the fits on every subset, the best
 * whose weights are all positive. There are 2^n - 1 of them, so n must be small.
 */
export function fitNonNegative(query: Float64Array, units: readonly Float64Array[]): number[] {
  const correlations = units.map((vector) => dot(query, vector))
  const gram = units.map((a) => units.map((b) => dot(a, b)))
  let best = units.map(() => 0)
  let bestExplained = 0
  for (let subset = 1; subset < 2 ** units.length; subset++) {
    const members = units.flatMap((_, i) => (subset & (1 << i) ? [i] : []))
    const weights = solve(
      members.map((i) => members.map((j) => at(gram, i, j))),
      members.map((i) => correlations[i] as number),
    )
    if (weights === undefined || weights.some((weight) => !(weight > 0))) continue
    const explained = members.reduce(
      (sum, i, k) => sum + (weights[k] as number) * (correlations[i] as number),
      0,
    )
    if (explained <= bestExplained) continue
    bestExplained = explained
    best = units.map((_, i) => weights[members.indexOf(i)] ?? 0)
  }
  return best
}

/** Solves a positive definite system by Cholesky's decomposition; undefined when it is singular. */
function solve(matrix: readonly number[][], right: readonly number[]): number[] | undefined {
  const n = right.length
  const lower = matrix.map(() => new Float64Array(n))
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = at(matrix, i, j)
      for (let k = 0; k < j; k++) sum -= at(lower, i, k) * at(lower, j, k)
      if (i === j && !(sum > independent * at(matrix, i, i))) return undefined
      const row = lower[i] as Float64Array
      row[j] = i === j ? Math.sqrt(sum) : sum / at(lower, j, j)
    }
  }
  const solution = Array.from(right)
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++)
      solution[i] = (solution[i] as number) - at(lower, i, k) * (solution[k] as number)
    solution[i] = (solution[i] as number) / at(lower, i, i)
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++)
      solution[i] = (solution[i] as number) - at(lower, k, i) * (solution[k] as number)
    solution[i] = (solution[i] as number) / at(lower, i, i)
  }
  return solution
}

function mostCorrelated(residual: Float64Array, directions: readonly (Float64Array | undefined)[]): number {
  let best = -1
  let greatest = 0
  for (const [i, direction] of directions.entries()) {
    const correlation = direction === undefined ? 0 : dot(residual, direction)
    if (correlation <= greatest) continue
    greatest = correlation
    best = i
  }
  return best
}

function subtract(
  query: Float64Array,
  units: readonly Float64Array[],
  weights: readonly number[],
): Float64Array {
  const residual = new Float64Array(query)
  for (const [i, vector] of units.entries()) {
    const weight = weights[i] as number
    for (let d = 0; d < residual.length; d++)
      residual[d] = (residual[d] as number) - weight * (vector[d] as number)
  }
  return residual
}

function unit(vector: Float32Array): Float64Array | undefined {
  const values = new Float64Array(vector)
  const norm = Math.sqrt(dot(values, values))
  if (!(norm > 0) || !Number.isFinite(norm)) return undefined
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) / norm
  return values
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

function at(matrix: readonly ArrayLike<number>[], row: number, column: number): number {
  return (matrix[row] as ArrayLike<number>)[column] as number
}
