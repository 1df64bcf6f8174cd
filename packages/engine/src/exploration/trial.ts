import { relaxFar } from '../energy.ts'
import { type Hits, type Kernels, kernels } from '../kernels/kernels.ts'
import { toUnitMagnitude } from '../kernels/magnitude.ts'
import { parameters } from '../parameters.ts'
import type { Random } from '../random.ts'

const { alphaMin, alphaMax, collapseCosine, recoveryTolerance } = parameters.exploration
const { stepsMax, tolerance } = parameters.spurious

/** The two vectors that a trial of a pair searches with. */
export interface TrialQueries {
  /** A point between the two keys. */
  between: Float32Array
  /** The second key as unbinding recovers it, with noise (see `beginTrial`). */
  unbound: Float32Array
}

/**
 * A point between the directions of two keys, at length 1, by spherical interpolation (Shoemake's slerp). The keys are scaled to
 * length 1 first: large ones would overflow float32, and tiny ones be rounded off.
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
 * Makes the vectors of a trial: a point between a and b, at a random share of the way between `alphaMin` and `alphaMax`, and b as
 * recovered by holographic reduced representations (Plate 1995: a bound with b by circular convolution, then correlated with a).
 * @param a, b keys of one length, none all zero; for some the recovered vector is all zero
 */
export function beginTrial(
  a: Float32Array,
  b: Float32Array,
  random: Random,
  by: Kernels = kernels,
): TrialQueries {
  const alpha = alphaMin + (alphaMax - alphaMin) * random()
  // Binding and unbinding multiply three keys, which could leave the range of float32. Only the direction matters.
  const [scaledA, scaledB] = [toUnitMagnitude(a).vector, toUnitMagnitude(b).vector]
  const unbound = by.unbindCircular(by.bindCircular(scaledA, scaledB), scaledA)
  return { between: pointBetween(a, b, alpha, by), unbound }
}

/** What the searches of a trial found, in a random half of the space that includes a and b. */
export interface TrialFindings {
  a: number
  b: number
  /** The idx of the patterns nearest to the point between, best first. */
  neighbours: readonly number[]
  /** Cosines of the end of the Hopfield iteration from that point with patterns around it. */
  relaxed: { labels: ArrayLike<number>; cosines: ArrayLike<number> }
  /** The patterns nearest to the recovered key, best first. */
  recovered: Hits
}

/**
 * Whether a trial found the composition valid: both patterns are among the nearest to the point between them, the Hopfield
 * iteration from there does not end at a third pattern, and unbinding recovers b (or a pattern with an equal key) as the nearest.
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
 * Runs the Hopfield iteration from a point.
 * @param values keys of the point's dimension, row after row
 * @param inverseNorms 1 / length of each key
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
 * How well two patterns belong together, in [0, 1]: their cosine, rescaled so that `level` is 0, times the share of the
 * neighbours of the point between them whose cosines with both exceed `level`.
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

/** Two different random numbers from 0 to below `count`, which is at least 2. */
function twoOf(count: number, random: Random): [number, number] {
  const one = Math.floor(random() * count)
  const other = Math.floor(random() * (count - 1))
  return [one, other < one ? other : other + 1]
}

/**
 * Draws a random half of the patterns, each of which is in with probability 1/2; those of `always` are in anyway. Eight at a time,
 * since a draw for each of a million patterns takes a quarter of a second.
 * @param half bit idx % 8 of byte idx / 8, with room for those of `always`; all bits are drawn anew, also those of no pattern
 */
export function drawHalf(half: Uint8Array, always: readonly number[], random: Random): void {
  for (let at = 0; at < half.length; at++) half[at] = Math.floor(256 * random())
  for (const idx of always) half[idx >> 3] = (half[idx >> 3] as number) | (1 << (idx & 7))
}
