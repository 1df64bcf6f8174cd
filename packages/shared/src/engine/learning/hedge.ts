import { parameters } from '../parameters.ts'
import { type HeadWeights, headNames } from '../recall/heads.ts'

const { hedgeRate, hedgeClip, hedgeFloor } = parameters.learning

/**
 * The weights of heads after an answer of which one pattern proved useful: exponentiated gradient on the simplex (Freund
 * and Schapire, A Decision-Theoretic Generalization of On-Line Learning, 1997), w_h <- w_h exp(eta clip(z_h(positive) -
 * mean z_h(returned))), and a share of each weight kept back so that no head is lost for good.
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
  const total = raised.reduce((sum, weight) => sum + weight, 0)
  const kept = 1 - hedgeFloor * headNames.length
  return Object.fromEntries(
    headNames.map((head, h) => [head, kept * ((raised[h] as number) / total) + hedgeFloor]),
  ) as Record<(typeof headNames)[number], number>
}
