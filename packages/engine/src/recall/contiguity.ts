import { parameters } from '../parameters.ts'

const { lagDecay, answerShare, questionDamping, strongRank, strongMin } = parameters.recall

/** A pattern where it was stored, with its own score in deviations. */
export interface Placed {
  idx: number
  score: number
  asks: boolean
}

/**
 * What each pattern gains from those stored just before and after it: the temporal context in which something was
 * stored comes back with it (Howard and Kahana, A Distributed Representation of Temporal Context, 2002). A pattern
 * passes on by how much its score exceeds that of the 48th best, times a share that falls with the lag in idx. What was
 * said next to a question answers it, so it gains more; a question answers little, so it gains less.
 *
 * C_i = (1 - 0.5 a_i) (sum over lags l of d_l (e_(i-l) + e_(i+l)) + 0.7 a_(i-1) e_(i-1)), where a is 1 for a question and
 * else 0, d = 0.4, 0.4, 0.2, 0.2, and e = max(0, score - max(1, 48th best score)).
 * @returns one value a pattern, at least 0, in their order
 */
export function contiguityOf(patterns: readonly Placed[]): Float64Array {
  const threshold = strongThreshold(patterns)
  const strong = new Map<number, { excess: number; asks: boolean }>()
  for (const { idx, score, asks } of patterns) {
    if (score > threshold) strong.set(idx, { excess: score - threshold, asks })
  }
  const gains = new Float64Array(patterns.length)
  for (const [at, { idx, asks }] of patterns.entries()) {
    let passed = 0
    for (let lag = 1; lag <= lagDecay.length; lag++) {
      const share = lagDecay[lag - 1] as number
      passed += share * ((strong.get(idx - lag)?.excess ?? 0) + (strong.get(idx + lag)?.excess ?? 0))
    }
    const before = strong.get(idx - 1)
    if (before?.asks) passed += answerShare * before.excess
    gains[at] = asks ? (1 - questionDamping) * passed : passed
  }
  return gains
}

/**
 * The score from which a pattern is strong. By rank, since in a large space many patterns are a deviation above its
 * mean; a small one has no 48 that are.
 */
function strongThreshold(patterns: readonly Placed[]): number {
  const ascending = new Float64Array(patterns.length)
  for (const [at, { score }] of patterns.entries()) ascending[at] = score
  ascending.sort()
  return Math.max(strongMin, ascending[ascending.length - strongRank] ?? strongMin)
}
