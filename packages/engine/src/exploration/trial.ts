import { relaxFar } from '../energy.ts'
import { type Hits, type Kernels, kernels } from '../kernels/kernels.ts'
import { toUnitMagnitude } from '../kernels/magnitude.ts'
import { parameters } from '../parameters.ts'
import type { Random } from '../random.ts'

const { alphaMin, alphaMax, collapseCosine, recoveryTolerance } = parameters.exploration
const { stepsMax, tolerance } = parameters.spurious

/** What a trial of a pair looks for in the memory. */
export interface TrialQueries {
  /** On the way from the one key to the other. */
  between: Float32Array
  /** What unbinding leaves: about the second key, plus noise. */
  unbound: Float32Array
}

/**
 * A point on the way between the directions of two keys (Shoemake's slerp), of length 1. The keys are scaled first: half
 * way between large ones a number may be beyond float32, and between tiny ones it is rounded off.
 * @param a, b keys of one length, none all zero
 * @param alpha 0 gives the direction of a, 1 that of b
 */
export const pointBetween = (
  a: Float32Array,
  b: Float32Array,
  alpha: number,
  by: Kernels = kernels,
): Float32Array => by.slerp(atLengthOne(a, by), atLengthOne(b, by), alpha).vector

function atLengthOne(key: Float32Array, by: Kernels): Float32Array {
  const length = by.norms(key, key.length)[0] as number
  return key.map((value) => value / length)
}

/**
 * One trial of a pair: a point at U(0.3, 0.7) of the way from a to b, and b as holographic reduced
 * representations give it back (Plate 1995: a bound with b, correlated with a).
 * @param a, b keys of one length, none all zero; keys that cancel out when unbound leave b all zero
 */
export function beginTrial(
  a: Float32Array,
  b: Float32Array,
  random: Random,
  by: Kernels = kernels,
): TrialQueries {
  const alpha = alphaMin + (alphaMax - alphaMin) * random()
  // A product of three: of large or small keys it would not be in the range of float32. The direction alone is looked for.
  const [scaledA, scaledB] = [toUnitMagnitude(a).vector, toUnitMagnitude(b).vector]
  const unbound = by.unbindCircular(by.bindCircular(scaledA, scaledB), scaledA)
  return { between: pointBetween(a, b, alpha, by), unbound }
}

/** What a random half of the memory, with a and b in it, answers to a trial's queries. */
export interface TrialFindings {
  a: number
  b: number
  /** Nearest to the point between, best first. */
  neighbours: readonly number[]
  /** Where the Hopfield iteration from there ends: cosine with each of the patterns that it may end at. */
  relaxed: { labels: ArrayLike<number>; cosines: ArrayLike<number> }
  /** Nearest to what unbinding leaves, best first. */
  recovered: Hits
}

/**
 * Whether a trial found the composition valid: both parts are among the nearest to the point between them, the memory
 * does not take it for a third pattern, and unbinding the one part gives back the other. A pattern with the same key as
 * b counts as b.
 */
export function isValidTrial({ a, b, neighbours, relaxed, recovered }: TrialFindings): boolean {
  if (!neighbours.includes(a) || !neighbours.includes(b)) return false
  for (let i = 0; i < relaxed.labels.length; i++) {
    const idx = relaxed.labels[i]
    if (idx !== a && idx !== b && (relaxed.cosines[i] as number) >= collapseCosine) return false
  }
  const at = recovered.labels.indexOf(b)
  const [best] = recovered.scores
  return at !== -1 && best !== undefined && (recovered.scores[at] as number) >= best - recoveryTolerance
}

/**
 * Where the Hopfield iteration ends that starts at a point.
 * @param values keys of the point's dimension, row after row; `inverseNorms` one a row
 * @returns cosine of the end with each key
 */
export function relaxFrom(
  values: Float32Array,
  inverseNorms: Float64Array,
  point: Float32Array,
  beta: number,
  by: Kernels = kernels,
): Float64Array {
  return relaxFar(values, inverseNorms, point, { beta, maxSteps: stepsMax, tolerance }, by).cosines
}

/**
 * How well two patterns belong together, in [0, 1]: their cosine, rescaled from that of random pairs to 1, times the
 * share of the neighbours of the point between them that are nearer to both than random patterns are.
 * @param level mean cosine of random pairs
 * @param neighbours cosines of each neighbour with a and b
 */
export function coherenceOf(
  cosine: number,
  level: number,
  neighbours: readonly { toA: number; toB: number }[],
): number {
  if (neighbours.length === 0 || !(level < 1)) return 0
  const rescaled = Math.min(1, Math.max(0, (cosine - level) / (1 - level)))
  const between = neighbours.filter(({ toA, toB }) => toA > level && toB > level).length
  return (rescaled * between) / neighbours.length
}

/** Mean cosine of random pairs of these keys, of one length and none all zero; 0 for fewer than two. */
export function randomLevel(
  keys: readonly Float32Array[],
  pairs: number,
  random: Random,
  by: Kernels = kernels,
): number {
  if (keys.length < 2 || pairs < 1) return 0
  let sum = 0
  for (let i = 0; i < pairs; i++) {
    const [one, other] = twoOf(keys.length, random)
    sum += by.cosine(keys[one] as Float32Array, keys[other] as Float32Array)
  }
  return sum / pairs
}

/** Two different places below `count`, at least 2. */
function twoOf(count: number, random: Random): [number, number] {
  const one = Math.floor(random() * count)
  const other = Math.floor(random() * (count - 1))
  return [one, other < one ? other : other + 1]
}

/** About half of these patterns, each as likely in as out, and `always` whatever is drawn. */
export function randomHalf(labels: ArrayLike<number>, always: readonly number[], random: Random): number[] {
  const half = [...always]
  for (let i = 0; i < labels.length; i++) {
    const drawn = random() < 0.5
    const idx = labels[i] as number
    if (drawn && !always.includes(idx)) half.push(idx)
  }
  return half
}
