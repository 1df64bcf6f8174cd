import { parameters } from './parameters.ts'

const { halfLifeMs, hotMin, warmMin } = parameters.tiers

/** How a pattern's vector is held, from the fastest to the smallest. */
export const tiers = ['hot', 'warm', 'cold'] as const
export type Tier = (typeof tiers)[number]

/** How much a pattern is used, as it is kept: the score at one moment, from which that of every later one follows. */
export interface AccessScore {
  value: number
  at: Date
}

/**
 * Access score: the sum over a pattern's accesses, its store among them, of 2^(-age / half-life). It is the combined
 * recency and frequency of LRFU (Lee et al., 2001), whose past decays as a whole: a(t) = a(s) 2^(-(t - s) / half-life).
 * A moment before the score's own reads as that one: clocks of several processes differ a little.
 */
export function scoreAt({ value, at }: AccessScore, now: Date): number {
  const age = Math.max(0, now.getTime() - at.getTime())
  return value * 2 ** (-age / halfLifeMs)
}

/**
 * Where a pattern belongs that was left alone: as far down as its score says, and never up, but that a protected
 * pattern is nowhere cold. Applied to its own result it changes nothing.
 */
export function demotedTier(tier: Tier, score: number, isProtected: boolean): Tier {
  if (isProtected) return tier === 'hot' && score >= hotMin ? 'hot' : 'warm'
  if (tier === 'cold' || score < warmMin) return 'cold'
  return score < hotMin ? 'warm' : tier
}

/**
 * Where a pattern belongs that was among an answer's first: a step up from cold, and from warm when it was in use
 * before already, so that one question about something old does not fill the hot tier.
 * @param scoreBefore its score before this access was added
 */
export function promotedTier(tier: Tier, scoreBefore: number): Tier {
  if (tier === 'cold') return 'warm'
  return scoreBefore >= hotMin ? 'hot' : tier
}
