import { parameters } from './parameters.ts'

const { decay, ageMin, baseShare } = parameters.salience
const { strengthStart } = parameters.learning

/** How a pattern was used. Times in ms since 1970. */
export interface PatternUse {
  /** When it was stored, which counts as a use. */
  storedAt: number
  /** Number of answers that held it. */
  count: number
  /** Time of the last of them; ignored if `count` is 0. */
  lastAt: number
  /** How much it was used and proved useful, in [0, 1]; see `parameters.learning`. */
  strength: number
}

/**
 * Salience of a pattern, in nats: ln(strength / strengthStart), plus `baseShare` of its base-level activation ln(sum over its
 * uses of age^-d), in Petrov's approximation that needs the last use, the first and their number (Petrov, Computationally
 * Efficient Approximation of the Base-Level Learning Equation in ACT-R, 2006, with k = 1). Ages count in seconds.
 */
export function salienceOf({ storedAt, count, lastAt, strength }: PatternUse, now: number): number {
  const oldest = ageOf(storedAt, now)
  const latest = count > 0 ? Math.min(oldest, ageOf(lastAt, now)) : oldest
  return (
    Math.log(Math.max(strength, Number.EPSILON) / strengthStart) +
    baseShare * Math.log(latest ** -decay + count * meanPower(latest, oldest))
  )
}

const ageOf = (at: number, now: number): number => Math.max(ageMin, now - at) / 1_000

/** Mean of t^-d between two ages. */
function meanPower(from: number, to: number): number {
  if (to - from < 1e-9 * to) return to ** -decay
  return (to ** (1 - decay) - from ** (1 - decay)) / ((1 - decay) * (to - from))
}
