import { parameters } from './parameters.ts'

const { halfLifeMs, hotMin, warmMin } = parameters.tiers

/** How a pattern's key is held in memory, from fastest and largest to smallest. */
export const tiers = ['hot', 'warm', 'cold'] as const
export type Tier = (typeof tiers)[number]

/** How much a pattern is used: a score that fades from the time `at` on, see `scoreAt`. */
export interface AccessScore {
  value: number
  at: Date
}

/**
 * The access score at `now`: the sum over a pattern's accesses, its store included, of 2^(-age / half-life). This is the combined
 * recency and frequency of LRFU (Lee et al., 2001). The sum decays as a whole, a(t) = a(s) 2^(-(t - s) / half-life), so that one
 * number suffices. A `now` before the score's time counts as that time, since clocks of processes differ a little.
 */
export function scoreAt({ value, at }: AccessScore, now: Date): number {
  const age = Math.max(0, now.getTime() - at.getTime())
  return value * 2 ** (-age / halfLifeMs)
}

/**
 * The tier that a pattern moves down to by its score; it never moves up, except that a protected pattern is never cold.
 * Idempotent.
 */
export function demotedTier(tier: Tier, score: number, isProtected: boolean): Tier {
  if (isProtected) return tier === 'hot' && score >= hotMin ? 'hot' : 'warm'
  if (tier === 'cold' || score < warmMin) return 'cold'
  return score < hotMin ? 'warm' : tier
}

/**
 * The tier that a pattern moves up to when it was among the first of an answer: from cold to warm, and from warm to hot only if
 * it was in use before, so that one question about something old does not fill the hot tier.
 * @param scoreBefore its score before this access was added
 */
export function promotedTier(tier: Tier, scoreBefore: number): Tier {
  if (tier === 'cold') return 'warm'
  return scoreBefore >= hotMin ? 'hot' : tier
}
