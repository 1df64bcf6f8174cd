import { faded } from '../learning/association.ts'
import type { MeanDeviation } from './mean-deviation.ts'

/** Gives the associates of a pattern by idx: the weight of each at the time `at` (ms since 1970), since when it fades. */
export type AssociatesOf = (idx: number) => ReadonlyMap<number, { weight: number; at: number }>

/** The result of `spreadActivation`. */
export interface Spread {
  /** By idx, of those that got any. */
  activation: Map<number, number>
  /** Mean and deviation over all patterns of the space, most of which got 0. */
  meanDeviation: MeanDeviation
}

/**
 * Spreading activation: A_j = sum_i a_i w_ij / sqrt(d_i d_j), where a_i is the activation of seed i, w_ij the weight of an
 * association, and d the sum of a pattern's weights. Dividing by the sums (the fan effect: Anderson, Retrieval of Propositional
 * Information from Long-Term Memory, 1974) keeps hubs from winning. A pattern passes nothing to itself.
 * @param seeds active patterns
 * @param patterns number of patterns in the space
 * @param now ms since 1970
 */
export function spreadActivation(
  seeds: readonly { idx: number; activation: number }[],
  associatesOf: AssociatesOf,
  patterns: number,
  now: number,
): Spread {
  const fans = new Map<number, number>()
  const fanOf = (idx: number) => {
    let fan = fans.get(idx)
    if (fan === undefined) {
      fan = 0
      for (const { weight, at } of associatesOf(idx).values()) fan += faded(weight, at, now)
      fans.set(idx, fan)
    }
    return fan
  }
  const activation = new Map<number, number>()
  for (const { idx, activation: own } of seeds) {
    for (const [other, { weight, at }] of associatesOf(idx)) {
      const passed = (own * faded(weight, at, now)) / Math.sqrt(fanOf(idx) * fanOf(other))
      if (passed > 0 && Number.isFinite(passed)) activation.set(other, (activation.get(other) ?? 0) + passed)
    }
  }
  return { activation, meanDeviation: sparseMeanDeviation(activation.values(), patterns) }
}

/** Mean and deviation of values of which all but those given are 0. */
function sparseMeanDeviation(values: Iterable<number>, count: number): MeanDeviation {
  let sum = 0
  let squares = 0
  for (const value of values) {
    sum += value
    squares += value * value
  }
  const mean = count === 0 ? 0 : sum / count
  return { mean, deviation: count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean)) }
}
