import { dotRow } from './dot.ts'
import { requireFinite } from './finite.ts'
import { logSumExp, softmax } from './softmax.ts'

/** One step of the modern Hopfield network (Ramsauer et al., ICLR 2021) on the unit sphere. */
export interface HopfieldStep {
  /** The next state, of norm 1. */
  state: Float32Array
  /** Of the state that the step started from: -lse(beta K xi)/beta + |xi|^2/2 with xi at norm 1. */
  energy: number
  /** softmax(beta K xi), a row each. */
  weights: Float64Array
}

/** Rows whose weight is below this share of the largest are left out of the sum: they change no float32 of it. */
const negligible = 1e-13

/**
 * xi' = normalise(sum_i softmax(beta K xi)_i k_i), where k_i are the rows of `values` times their inverse norms and xi
 * is `state` at norm 1. lse is convex in xi and xi' the unit vector along its gradient, so the energy of xi' is never
 * above that of xi.
 * @throws RangeError without rows, for a state that is all zero or of other dimensions, for values that are not
 *   finite, `beta` not above 0, and when the weighted rows cancel
 */
export function hopfieldStep(
  values: Float32Array,
  inverseNorms: Float64Array,
  state: Float32Array,
  beta: number,
): HopfieldStep {
  const dimensions = state.length
  if (inverseNorms.length === 0) throw new RangeError('there are no rows')
  if (values.length !== inverseNorms.length * dimensions)
    throw new RangeError(`${values.length} values are no whole rows of ${dimensions} dimensions`)
  requireFinite('state', state)
  if (!(beta > 0 && beta < Number.POSITIVE_INFINITY)) throw new RangeError('beta is not a number above 0')

  const unit = normalised(Float64Array.from(state))
  const scores = inverseNorms.map((inverse, row) => dotRow(values, row * dimensions, unit) * inverse)
  const wrong = scores.findIndex((score) => !Number.isFinite(score))
  if (wrong !== -1) throw new RangeError(`values is not a finite number at ${wrong * dimensions}`)
  const weights = softmax(scores, beta)

  const least = negligible * weights.reduce((largest, weight) => Math.max(largest, weight))
  const sum = new Float64Array(dimensions)
  for (let row = 0, at = 0; row < weights.length; row++) {
    if (weights[row]! < least) {
      at += dimensions
      continue
    }
    const factor = weights[row]! * inverseNorms[row]!
    for (let i = 0; i < dimensions; i++, at++) sum[i] = sum[i]! + factor * values[at]!
  }
  return {
    state: Float32Array.from(normalised(sum)),
    energy: 0.5 - logSumExp(scores, beta) / beta,
    weights,
  }
}

function normalised(vector: Float64Array): Float64Array {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares === 0 || !Number.isFinite(squares))
    throw new RangeError('a vector that is all zero has no direction')
  const scale = 1 / Math.sqrt(squares)
  return vector.map((value) => value * scale)
}
