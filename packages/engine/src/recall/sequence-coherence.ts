import { parameters } from '../parameters.ts'

const { coherenceFull, coherenceDoubt, turnsFull, turnsDoubt } = parameters.recall

/**
 * How far store order says what belongs together, in [0, 1]: by how much the centred cosine of keys that were stored one after
 * the other exceeds that of keys far apart in the same sequence, on average, less two standard errors, as a share of what full
 * trust needs. Where order means nothing (rows of a table, say) that is 0, and contiguity would only add noise. What a whole
 * sequence has in common, as the texts of one subject do, is no order: far keys have it too.
 * @param triples a key, the one after it, and one far away in the sequence of both; of one length, from all over the space
 * @param centre the mean of the space's keys
 */
export function sequenceCoherence(triples: readonly Triple[], centre: Float32Array): number {
  const differences = triples.flatMap(([key, next, far]) => {
    const [near, apart] = [centredCosine(key, next, centre), centredCosine(key, far, centre)]
    return near === undefined || apart === undefined ? [] : near - apart
  })
  return Math.min(1, Math.max(0, leastMean(differences, coherenceDoubt) / coherenceFull))
}

/** A key, the one that was stored after it, and one that was stored long before or after both. */
export type Triple = readonly [Float32Array, Float32Array, Float32Array]

/**
 * How far the texts of a space are turns of a conversation, in [0, 1]: whoever speaks every second time goes on where they
 * stopped, so keys two places apart are more alike than those one and three places apart are on average, which what is only
 * sorted by topic never shows. The mean difference of centred cosines, less one standard error, as a share of what full
 * trust needs.
 * @param runs keys of one length that were stored one after the other, from all over the space
 * @param centre the mean of the space's keys
 */
export function turnTaking(runs: readonly Run[], centre: Float32Array): number {
  const differences = runs.flatMap(([first, second, third, fourth]) => {
    const [one, two, three] = [second, third, fourth].map((key) => centredCosine(first, key, centre))
    return one === undefined || two === undefined || three === undefined ? [] : two - (one + three) / 2
  })
  return Math.min(1, Math.max(0, leastMean(differences, turnsDoubt) / turnsFull))
}

/** Four keys that were stored one after the other. */
export type Run = readonly [Float32Array, Float32Array, Float32Array, Float32Array]

/** The mean of values less some standard errors; 0 of fewer than two. */
function leastMean(values: readonly number[], errors: number): number {
  const count = values.length
  if (count < 2) return 0
  let sum = 0
  let squares = 0
  for (const value of values) {
    sum += value
    squares += value * value
  }
  const mean = sum / count
  const variance = Math.max(0, squares / count - mean * mean)
  return mean - errors * Math.sqrt(variance / (count - 1))
}

/** Undefined where a key is the centre, so that it has no direction from there. */
function centredCosine(a: Float32Array, b: Float32Array, centre: Float32Array): number | undefined {
  let dot = 0
  let squareA = 0
  let squareB = 0
  for (let i = 0; i < centre.length; i++) {
    const x = (a[i] ?? 0) - (centre[i] as number)
    const y = (b[i] ?? 0) - (centre[i] as number)
    dot += x * y
    squareA += x * x
    squareB += y * y
  }
  const cosine = dot / Math.sqrt(squareA * squareB)
  return Number.isFinite(cosine) ? cosine : undefined
}
