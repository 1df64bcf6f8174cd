import type { Iteration, IterationEnd } from '../energy.ts'
import { type Hits, type Kernels, kernels } from '../kernels/kernels.ts'
import { parameters } from '../parameters.ts'
import { type Random, randomNormal } from '../random.ts'
import { type Pair, pairName, pairOf } from './pairs.ts'

const { cosineMin, cosineMax, pairsMax, push, storedCosine, patternsMin, stepsMax, tolerance } =
  parameters.spurious

/**
 * Pairs of near neighbours, greatest cosine first: from the results of a search with each pattern's key, those with a cosine from
 * `cosineMin` to `cosineMax`, at most `pairsMax`.
 */
export function nearPairs(searches: readonly { idx: number; found: Hits }[]): (Pair & { cosine: number })[] {
  const pairs = new Map<string, Pair & { cosine: number }>()
  for (const { idx, found } of searches) {
    for (const [i, label] of found.labels.entries()) {
      const cosine = found.scores[i] as number
      if (label === idx || cosine < cosineMin || cosine > cosineMax) continue
      const pair = pairOf(idx, label)
      pairs.set(pairName(pair), { ...pair, cosine })
    }
  }
  return [...pairs.values()]
    .sort((one, other) => other.cosine - one.cosine || one.a - other.a || one.b - other.b)
    .slice(0, pairsMax)
}

/**
 * The middle of two keys' directions, at length 1, moved by `push` in a random direction. The exact middle may be a saddle point
 * of the energy, where the iteration would stay. Undefined where the keys cancel.
 * @param a, b of one length, none all zero
 */
export function disturbedMiddle(
  a: Float32Array,
  b: Float32Array,
  random: Random,
  by: Kernels = kernels,
): Float32Array | undefined {
  const lengthOf = (vector: Float32Array) => by.norms(vector, vector.length)[0] as number
  const [lengthA, lengthB] = [lengthOf(a), lengthOf(b)]
  const middle = a.map((value, i) => value / lengthA + (b[i] as number) / lengthB)
  const noise = Float32Array.from(a, () => randomNormal(random))
  const [length, noiseLength] = [lengthOf(middle), lengthOf(noise)]
  if (!(length > 1e-6) || !(noiseLength > 0)) return undefined
  return middle.map((value, i) => value / length + (push * (noise[i] as number)) / noiseLength)
}

/**
 * The Hopfield iteration from a point, with enough steps to tell where it ends.
 * @param values keys of the point's dimension, row after row, at least one
 * @param inverseNorms 1 / length of each key
 */
export const iterationFrom = (
  values: Float32Array,
  inverseNorms: Float64Array,
  point: Float32Array,
  beta: number,
): Iteration => ({ values, inverseNorms, query: point, options: { beta, maxSteps: stepsMax, tolerance } })

/**
 * Whether an iteration ended in a mixture of keys instead of one: no key's cosine with the end reaches `storedCosine`, and the
 * effective number of keys that share it, exp(entropy of the weights), is at least `patternsMin`.
 */
export function isMixture({ weights, cosines }: IterationEnd): boolean {
  if (cosines.some((cosine) => cosine >= storedCosine)) return false
  const entropy = weights.reduce((sum, weight) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0)
  return Math.exp(entropy) >= patternsMin
}
