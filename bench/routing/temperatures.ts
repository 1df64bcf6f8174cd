import { candidateDistribution, type Pathway, pathways } from '../../packages/engine/src/routing.ts'
import { mean } from '../support/statistics.ts'
import type { Case } from './cases.ts'

export type Temperatures = Record<Pathway, number>

const range = { least: Math.log(0.05), most: Math.log(20) }
const tolerance = 1e-4

/** The temperatures at which the pathways' distributions make what was asked for most likely. */
export function fitTemperatures(cases: readonly Case[]): Temperatures {
  const fitted = pathways.map((pathway) => [pathway, fitTemperature(cases, pathway)])
  return Object.fromEntries(fitted) as Temperatures
}

/**
 * Mean -ln of the probability of what was asked for, over the cases that have it among their candidates, in nats.
 */
export function negativeLogLikelihood(cases: readonly Case[], pathway: Pathway, temperature: number): number {
  const losses = cases
    .filter(({ wanted }) => wanted.includes(true))
    .map(({ views, wanted }) => {
      const q = candidateDistribution(views[pathway].scores, temperature)
      return -Math.log(q.reduce((sum, probability, i) => (wanted[i] ? sum + probability : sum), 1e-300))
    })
  return mean(losses)
}

/** Golden section search over ln temperature: the loss of a softmax has one minimum in the inverse temperature. */
function fitTemperature(cases: readonly Case[], pathway: Pathway): number {
  const loss = (logarithm: number) => negativeLogLikelihood(cases, pathway, Math.exp(logarithm))
  const ratio = (Math.sqrt(5) - 1) / 2
  let { least, most } = range
  while (most - least > tolerance) {
    const a = most - ratio * (most - least)
    const b = least + ratio * (most - least)
    if (loss(a) < loss(b)) most = b
    else least = a
  }
  return Math.exp((least + most) / 2)
}
