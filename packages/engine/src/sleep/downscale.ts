import { parameters } from '../parameters.ts'

const { keptPerDay, unusedMs, weakenedAfterMs } = parameters.sleep
const { strengthStart } = parameters.learning
const dayMs = 86_400_000

/** Since when a pattern has been weakened by nothing but time. Ms since 1970. */
export interface Disuse {
  /** The last answer that held it, or its store. */
  usedAt: number
  /** When it was weakened or replayed last; null for never. */
  weakenedAt: number | null
}

/** Days for which a pattern is to be weakened: from a week without use on, as far as it has not been for these. */
export function daysOfDisuse({ usedAt, weakenedAt }: Disuse, now: number): number {
  const since = Math.max(usedAt + unusedMs, weakenedAt ?? Number.NEGATIVE_INFINITY)
  return now - since < weakenedAfterMs ? 0 : (now - since) / dayMs
}

/**
 * Synaptic homeostasis (Tononi and Cirelli 2014): s 0.95^days, never under the 0.5 that a pattern starts with. What is
 * weaker already stays as it is.
 * @param strength in [0, 1]
 */
export function weakened(strength: number, days: number): number {
  const kept = strength * keptPerDay ** Math.max(0, days)
  return Math.min(strength, Math.max(strengthStart, kept))
}
