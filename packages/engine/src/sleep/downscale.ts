import { parameters } from '../parameters.ts'

const { keptPerDay, unusedMs, weakenedAfterMs } = parameters.sleep
const { strengthStart } = parameters.learning
const dayMs = 86_400_000

/** How long a pattern has been unused. Times in ms since 1970. */
export interface Disuse {
  /** Time of the last answer that held it, or when it was stored. */
  usedAt: number
  /** When it was last weakened or replayed; null for never. */
  weakenedAt: number | null
}

/** Days to weaken a pattern for: those without use after the first `unusedMs`, except days it was already weakened for. */
export function daysOfDisuse({ usedAt, weakenedAt }: Disuse, now: number): number {
  const since = Math.max(usedAt + unusedMs, weakenedAt ?? Number.NEGATIVE_INFINITY)
  return now - since < weakenedAfterMs ? 0 : (now - since) / dayMs
}

/**
 * A strength after some days of disuse, by synaptic homeostasis (Tononi and Cirelli 2014): s keptPerDay^days, but not below
 * `strengthStart`, which a pattern starts with. A strength below that already is unchanged.
 * @param strength in [0, 1]
 */
export function weakened(strength: number, days: number): number {
  const kept = strength * keptPerDay ** Math.max(0, days)
  return Math.min(strength, Math.max(strengthStart, kept))
}
