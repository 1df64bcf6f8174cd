import { softmax } from '../kernels/softmax.ts'
import fitted from './model.json' with { type: 'json' }

export const beliefClasses = ['exact_match', 'composition', 'novel'] as const
export type BeliefClass = (typeof beliefClasses)[number]
export type Belief = Record<BeliefClass, number>

/** A logistic regression of three classes on standardised features. Products of features did not help. */
export interface BeliefModel {
  features: string[]
  /** Range of each feature in the data of the fit. What lies beyond, which was never seen, counts as the nearest end. */
  least: number[]
  greatest: number[]
  means: number[]
  deviations: number[]
  /** For each class in the order of `beliefClasses`: the intercept, then a weight for each feature. */
  weights: number[][]
}

/** Fitted by `npm run bench -- belief --fit`, for the encoder that the file names. */
export const fittedModel: BeliefModel & { encoder: string } = fitted

/**
 * Probabilities that a query states a stored fact, puts stored facts together, or says something new; their sum is 1.
 *
 * @param features as `beliefFeatures` gives them
 */
export function classify(features: Float64Array, model: BeliefModel = fittedModel): Belief {
  const values = standardise(features, model)
  const logits = model.weights.map(([intercept = 0, ...weights]) =>
    weights.reduce((sum, weight, i) => sum + weight * (values[i] as number), intercept),
  )
  const [exact_match = 0, composition = 0, novel = 0] = softmax(Float64Array.from(logits), 1)
  return { exact_match, composition, novel }
}

/** Features as the weights apply to them: mean 0 and deviation 1 in the data of the fit. */
export function standardise(
  features: Float64Array,
  { least, greatest, means, deviations }: Omit<BeliefModel, 'features' | 'weights'>,
): Float64Array {
  return Float64Array.from(means, (mean, i) => {
    const value = Math.max(least[i] as number, Math.min(greatest[i] as number, features[i] ?? 0))
    return (value - mean) / (deviations[i] as number)
  })
}

/** The class that is most probable; of equals the first. */
export function mostProbable(belief: Belief): BeliefClass {
  return beliefClasses.reduce((best, name) => (belief[name] > belief[best] ? name : best))
}
