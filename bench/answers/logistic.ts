export interface Example {
  /** Without the intercept. */
  features: readonly number[]
  isTrue: boolean
}

/** Intercept and weights of a logistic regression, fitted by Newton's method with a small ridge. */
export function fitLogistic(examples: readonly Example[], ridge = 1e-3): number[] {
  const size = (examples[0]?.features.length ?? 0) + 1
  let weights: number[] = Array.from({ length: size }, () => 0)
  for (let round = 0; round < 40; round++) {
    const gradient: number[] = weights.map((weight) => -ridge * weight)
    const hessian = weights.map((_, i) => weights.map((_, j) => (i === j ? ridge : 0)))
    for (const { features, isTrue } of examples) {
      const row = [1, ...features]
      const p = probability(weights, features)
      for (const [i, value] of row.entries()) {
        gradient[i]! += value * (Number(isTrue) - p)
        for (const [j, other] of row.entries()) hessian[i]![j]! += p * (1 - p) * value * other
      }
    }
    const step = solve(hessian, gradient)
    weights = weights.map((weight, i) => weight + step[i]!)
  }
  return weights
}

/** Of an example, by the weights that `fitLogistic` gave. */
export function probability(
  [intercept = 0, ...weights]: readonly number[],
  features: readonly number[],
): number {
  return 1 / (1 + Math.exp(-features.reduce((sum, value, i) => sum + value * weights[i]!, intercept)))
}

/** x with A x = b, A symmetric and positive definite, by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  for (const [i, pivot] of rows.entries()) {
    for (const row of rows.slice(i + 1)) {
      const factor = row[i]! / pivot[i]!
      for (let j = i; j < row.length; j++) row[j]! -= factor * pivot[j]!
    }
  }
  const x: number[] = []
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i]!
    let rest = row.at(-1)!
    for (let j = i + 1; j < rows.length; j++) rest -= row[j]! * x[j]!
    x[i] = rest / row[i]!
  }
  return x
}
