import { parameters } from '../parameters.ts'
import { type HeadName, type HeadWeights, headNames, startWeights } from '../recall/heads.ts'

const { hedgeRate, hedgeClip, hedgeShare, hedgeFloor } = parameters.learning

/**
 * The heads whose weights are learned, each with the scale b of its step (see `learnWeights`): below b a weight grows by sums
 * instead of factors, since a factor would never lead away from 0, where the associative head starts. Salience is not learned: it
 * is raised by the very uses that it would be judged by.
 */
const scales: Readonly<Partial<Record<HeadName, number>>> = {
  semantic: 0,
  lexical: 0,
  associative: hedgeFloor,
  contiguity: 0,
}

/**
 * The weights of heads after an answer of which one pattern proved useful. One gradient step that raises the likelihood that a
 * softmax over the scores picks that pattern, as exponentiated gradient on the simplex (Kivinen and Warmuth, Exponentiated
 * Gradient versus Gradient Descent for Linear Predictors, 1997):
 *
 *     w_h <- w_h exp(g_h)  with  g_h = eta clip(z_h(positive) - sum_i p_i z_h(i))  and  p = softmax(sum_h w_h z_h)
 *
 * A head with a scale b > 0 takes the step of the hypentropy instead, w_h <- max(0, b sinh(asinh(w_h / b) + g_h)) (Ghai, Hazan
 * and Singer, Exponentiated Gradient Meets Gradient Descent, 2020), which is the same where w_h is far above b. If the pattern
 * was clearly first already, the step is near 0. Then a share of the start weights is mixed in (Herbster and Warmuth, Tracking
 * the Best Expert, 1998), so that no head is lost for good and what was learned by chance fades.
 * @param positive z-scores of the useful pattern by head, in the order of `headNames`
 * @param returned z-scores of every pattern of the answer; fewer than 2 teach nothing
 * @param rate multiplies the learning rate eta
 */
export function learnWeights(
  weights: HeadWeights,
  positive: readonly number[],
  returned: readonly (readonly number[])[],
  rate: number,
): HeadWeights {
  if (returned.length < 2) return weights
  const shares = expectedShares(weights, returned)
  const raised = headNames.map((head, h) => {
    const scale = scales[head]
    if (scale === undefined) return 0
    const expected = returned.reduce((sum, z, i) => sum + (shares[i] as number) * (z[h] ?? 0), 0)
    const gain = Math.max(-hedgeClip, Math.min(hedgeClip, (positive[h] ?? 0) - expected))
    return raise(weights[head], hedgeRate * rate * gain, scale)
  })
  const total = raised.reduce((sum, weight) => sum + weight, 0)
  const mass = headNames.reduce((sum, head) => sum + (head in scales ? startWeights[head] : 0), 0)
  return Object.fromEntries(
    headNames.map((head, h) => {
      const start = startWeights[head]
      if (!(head in scales) || total === 0) return [head, start]
      return [head, (1 - hedgeShare) * mass * ((raised[h] as number) / total) + hedgeShare * start]
    }),
  ) as Record<HeadName, number>
}

/** scale sinh(asinh(weight / scale) + step), at least 0, expanded so that a scale of 0 gives weight exp(step). */
const raise = (weight: number, step: number, scale: number): number =>
  Math.max(0, weight * Math.cosh(step) + Math.hypot(weight, scale) * Math.sinh(step))

/** The p of `learnWeights`: a softmax over the scores of the answer's patterns. */
function expectedShares(weights: HeadWeights, returned: readonly (readonly number[])[]): number[] {
  const scores = returned.map((z) => headNames.reduce((sum, head, h) => sum + weights[head] * (z[h] ?? 0), 0))
  const greatest = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - greatest))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}
