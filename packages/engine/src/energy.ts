import { norm } from './kernels/javascript.ts'
import { type Kernels, kernels } from './kernels/kernels.ts'
import { parameters } from './parameters.ts'

/** Where a query comes to rest in the memory's energy landscape. */
export interface Relaxed {
  /** Of norm 1. */
  state: Float32Array
  /** Of the query, and of the state after each step: it never rises. Empty without keys. */
  energies: number[]
  /** softmax(beta K xi) of the final state, a key each. */
  weights: Float64Array
  /** Cosine of the final state and each key, in [-1, 1]. */
  cosines: Float64Array
  steps: number
}

export interface RelaxOptions {
  /** Inverse temperature, above 0; see `inverseTemperature`. */
  beta: number
  maxSteps?: number
  /** Length of a step at which the state counts as at rest. */
  tolerance?: number
}

/**
 * The inverse temperature at which n memories separated by `separation` in cosine are retrieved singly: Theorem 4 of
 * Ramsauer et al. bounds the error of one step by 2 (n - 1) exp(-beta separation), here 2 exp(-3).
 * @param patterns of the memory, at least 0
 */
export function inverseTemperature(patterns: number): number {
  const { separation, margin } = parameters.energy
  return (Math.log(Math.max(1, patterns)) + margin) / separation
}

/**
 * Retrieval by a modern Hopfield network (Ramsauer et al., Hopfield Networks is All You Need, ICLR 2021) on the unit
 * sphere: xi <- normalise(sum_i softmax(beta K xi)_i k_i) from the query on, until a step is short or there were enough.
 * Where the weighted keys cancel each other, or there are none, no step leads anywhere and the state stays.
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

/** Where an iteration begins, and among what. Plain data: it may run in another thread. */
export interface Iteration {
  values: Float32Array
  inverseNorms: Float64Array
  query: Float32Array
  options: RelaxOptions
}

/** Where an iteration ended: what each key weighs, and its cosine. */
export type IterationEnd = Pick<Relaxed, 'weights' | 'cosines'>

/** Steps between two looks at all keys. */
const stepsBetween = 10
/** Keys that weigh less than exp(-16), a ten millionth, of the heaviest are left out of steps. */
const negligible = 16

/**
 * Retrieval as `relax`, for the many steps that it takes to find out where an iteration ends: steps are among the
 * keys that weigh something, and every ten of them all keys are looked at anew. On 256 keys that is some times as fast.
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

/** Undefined where the weighted keys cancel, which is all that a kernel refuses of arguments that were checked. */
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

/** Cosine of each key and a unit vector. */
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
