import { parameters } from '../parameters.ts'
import { type HeadWeights, headNames } from '../recall/heads.ts'

const { hedgeRate, hedgeClip, hedgeFloor } = parameters.learning

/**
 * The weights of heads after an answer of which one pattern proved useful: exponentiated gradient on the simplex (Freund
 * and Schapire, A Decision-Theoretic Generalization of On-Line Learning, 1997), w_h <- w_h exp(eta clip(z_h(positive) -
 * mean z_h(returned))), and none under a least share, so that no head is lost for good.
 * @param positive z-scores by head, in the order of `headNames`
 * @param returned those of every pattern of the answer
 * @param rate learning-rate multiplier
 */
export function learnWeights(
  weights: HeadWeights,
  positive: readonly number[],
  returned: readonly (readonly number[])[],
  rate: number,
): HeadWeights {
  if (returned.length < 2) return weights
  const raised = headNames.map((head, h) => {
    const mean = returned.reduce((sum, z) => sum + (z[h] ?? 0), 0) / returned.length
    const gain = Math.max(-hedgeClip, Math.min(hedgeClip, (positive[h] ?? 0) - mean))
    return weights[head] * Math.exp(hedgeRate * rate * gain)
  })
  const shares = withLeast(raised, hedgeFloor)
  return Object.fromEntries(headNames.map((head, h) => [head, shares[h]])) as Record<
    (typeof headNames)[number],
    number
  >
}

/**
 * Weights as shares of 1, each at least `least`; those above it give up in proportion what the others lack. Mixing in
 * equal shares instead would make all heads equal in a few dozen lessons, whatever they say.
 */
function withLeast(weights: readonly number[], least: number): number[] {
  const isLow = weights.map(() => false)
  for (;;) {
    const high = weights.reduce((sum, weight, h) => (isLow[h] ? sum : sum + weight), 0)
    const left = 1 - least * isLow.filter(Boolean).length
    const shares = weights.map((weight, h) => (isLow[h] ? least : (left * weight) / high))
    const low = shares.findIndex((share, h) => !isLow[h] && share < least)
    if (low === -1) return shares
    isLow[low] = true
  }
}
