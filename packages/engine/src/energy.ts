import { norm } from './kernels/dot.ts'
import { type Kernels, kernels } from './kernels/kernels.ts'
import { parameters } from './parameters.ts'

/** The result of a Hopfield retrieval: where a query comes to rest in the energy landscape that the keys make. */
export interface Relaxed {
  /** The final state xi, of norm 1. */
  state: Float32Array
  /** Energy of the query, then of the state after each step. Never rises. Empty without keys. */
  energies: number[]
  /** softmax(beta K xi) for the final state: one weight per key, 1 in sum. */
  weights: Float64Array
  /** Cosine between the final state and each key, in [-1, 1]. */
  cosines: Float64Array
  steps: number
}

export interface RelaxOptions {
  /** Inverse temperature, above 0; see `inverseTemperature`. */
  beta: number
  maxSteps?: number
  /** Length of a step below which the state counts as at rest. */
  tolerance?: number
}

/**
 * The inverse temperature beta = (ln n + margin) / separation, at which n keys that are `separation` apart in cosine are
 * retrieved one by one instead of as a mixture: Theorem 4 of Ramsauer et al. bounds the error of a step by
 * 2 (n - 1) exp(-beta separation), which is at most 2 exp(-margin) here.
 * @param patterns n, at least 0
 */
export function inverseTemperature(patterns: number): number {
  const { separation, margin } = parameters.energy
  return (Math.log(Math.max(1, patterns)) + margin) / separation
}

/**
 * Retrieval by a modern Hopfield network (Ramsauer et al., Hopfield Networks is All You Need, ICLR 2021) on the unit
 * sphere. Starts with xi = the query's direction and repeats xi <- normalise(sum_i softmax(beta K xi)_i k_i), where K has the
 * unit keys k_i as rows, until a step is shorter than `tolerance` or `maxSteps` are done. Stops where the weighted keys cancel.
 * @param values keys of the query's dimension, row after row, finite and none all zero
 * @param inverseNorms 1 / Euclidean norm of each key
 * @param query finite; all zero gives no direction
 * @throws RangeError for arrays of lengths that do not fit, a query without direction, a `beta` not above 0
 */
export function relax(
  values: Float32Array,
  inverseNorms: Float64Array,
  query: Float32Array,
  { beta, maxSteps = parameters.energy.stepsMax, tolerance = parameters.energy.tolerance }: RelaxOptions,
  by: Kernels = kernels,
): Relaxed {
  const count = inverseNorms.length
  if (values.length !== count * query.length)
    throw new RangeError(`${values.length} values are no ${count} keys of ${query.length} dimensions`)
  if (!(beta > 0 && beta < Number.POSITIVE_INFINITY)) throw new RangeError('beta is not a number above 0')
  let state = normalised(query)
  const energies: number[] = []
  let steps = 0
  while (count > 0 && steps < maxSteps) {
    const step = nextState(values, inverseNorms, state, beta, by)
    if (step === undefined) break
    energies.push(step.energy)
    steps++
    const moved = distance(state, step.state)
    state = step.state
    if (moved < tolerance) break
  }
  const cosines = cosinesOf(values, inverseNorms, state, by)
  if (count > 0) energies.push(0.5 - by.logSumExp(cosines, beta) / beta)
  return { state, energies, weights: by.softmax(cosines, beta), cosines, steps }
}

/** The arguments of a retrieval, as plain data that can be posted to another thread. */
export interface Iteration {
  values: Float32Array
  inverseNorms: Float64Array
  query: Float32Array
  options: RelaxOptions
}

/** What is kept of a retrieval's result. */
export type IterationEnd = Pick<Relaxed, 'weights' | 'cosines'>

/** Steps of `relaxFar` until it chooses among all keys again. */
const stepsBetween = 10
/** Keys whose weight is below exp(-16), about a ten millionth, of the greatest are left out of the steps of `relaxFar`. */
const negligible = 16

/**
 * Retrieval as `relax`, for many steps: only keys with a weight that matters take part in steps, and every ten steps they are
 * chosen anew among all. With 256 keys that is several times as fast.
 * @throws as `relax`
 */
export function relaxFar(
  values: Float32Array,
  inverseNorms: Float64Array,
  query: Float32Array,
  { beta, maxSteps = parameters.energy.stepsMax, tolerance = parameters.energy.tolerance }: RelaxOptions,
  by: Kernels = kernels,
): Omit<Relaxed, 'energies'> {
  const dimensions = query.length
  let { state, cosines } = relax(values, inverseNorms, query, { beta, maxSteps: 0 }, by)
  let steps = 0
  for (;;) {
    const least = cosines.reduce((most, cosine) => Math.max(most, cosine), -1) - negligible / beta
    const rows = [...cosines.keys()].filter((row) => (cosines[row] as number) >= least)
    const near = new Float32Array(rows.length * dimensions)
    for (const [i, row] of rows.entries()) {
      near.set(values.subarray(row * dimensions, (row + 1) * dimensions), i * dimensions)
    }
    const nearNorms = Float64Array.from(rows, (row) => inverseNorms[row] as number)
    const budget = Math.min(stepsBetween, maxSteps - steps)
    const relaxed = relax(near, nearNorms, state, { beta, maxSteps: budget, tolerance }, by)
    state = relaxed.state
    steps += relaxed.steps
    cosines = cosinesOf(values, inverseNorms, state, by)
    if (relaxed.steps < stepsBetween) return { state, cosines, steps, weights: by.softmax(cosines, beta) }
  }
}

/** One step; undefined where the weighted keys cancel, the only case that the kernel refuses with checked arguments. */
function nextState(
  values: Float32Array,
  inverseNorms: Float64Array,
  state: Float32Array,
  beta: number,
  by: Kernels,
): { state: Float32Array; energy: number } | undefined {
  try {
    return by.hopfieldStep(values, inverseNorms, state, beta)
  } catch (error) {
    if (error instanceof Error && /all zero/.test(error.message)) return undefined
    throw error
  }
}

/** Cosine between each key and a unit vector. */
function cosinesOf(
  values: Float32Array,
  inverseNorms: Float64Array,
  state: Float32Array,
  by: Kernels,
): Float64Array {
  const count = inverseNorms.length
  const cosines = new Float64Array(count)
  const labels = Int32Array.from(cosines.keys())
  const flags = new Uint8Array(count).fill(1)
  const matrix = { dimensions: state.length, count, values, inverseNorms, labels, flags }
  const hits = by.nearest(matrix, state, count, -1, { requiredFlags: 1 })
  for (const [at, row] of hits.labels.entries()) cosines[row] = hits.scores[at] as number
  return cosines
}

function normalised(query: Float32Array): Float32Array {
  const length = norm(query)
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) throw new RangeError('the query has no direction')
  return query.map((value) => value / length)
}

function distance(a: Float32Array, b: Float32Array): number {
  let squares = 0
  for (let i = 0; i < a.length; i++) squares += ((a[i] as number) - (b[i] as number)) ** 2
  return Math.sqrt(squares)
}
