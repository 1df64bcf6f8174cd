import { parameters } from '../parameters.ts'

const { coherenceFull, coherenceDoubt, turnsFull, turnsDoubt } = parameters.recall

/**
 * How far store order says what belongs together, in [0, 1]. Measures by how much the centred cosine of keys stored one after
 * the other exceeds that of keys far apart in the same sequence: the mean difference less `coherenceDoubt` standard errors,
 * divided by `coherenceFull`. Where order means nothing (rows of a table, say) this is 0, and contiguity would only add noise.
 * What a whole sequence has in common, as the texts of one subject do, cancels, since far keys have it too.
 * @param triples keys of one length, sampled from all over the space
 * @param centre the mean of the space's keys
 */
export function sequenceCoherence(triples: readonly Triple[], centre: Float32Array): number {
  const differences = triples.flatMap(([key, next, far]) => {
    const [near, apart] = [centredCosine(key, next, centre), centredCosine(key, far, centre)]
    return near === undefined || apart === undefined ? [] : near - apart
  })
  return Math.min(1, Math.max(0, leastMean(differences, coherenceDoubt) / coherenceFull))
}

/** A key, the key stored next, and a key stored long before or after both in the same sequence. */
export type Triple = readonly [Float32Array, Float32Array, Float32Array]

/**
 * How far the texts of a space are turns of a conversation, in [0, 1]. When two speakers alternate, each continues their own
 * thread, so keys two places apart are more alike than keys one and three places apart are on average. Texts merely sorted by
 * topic never show that. The mean difference of centred cosines, less `turnsDoubt` standard errors, divided by `turnsFull`.
 * @param runs keys of one length, sampled from all over the space
 * @param centre the mean of the space's keys
 */
export function turnTaking(runs: readonly Run[], centre: Float32Array): number {
  const differences = runs.flatMap(([first, second, third, fourth]) => {
    const [one, two, three] = [second, third, fourth].map((key) => centredCosine(first, key, centre))
    return one === undefined || two === undefined || three === undefined ? [] : two - (one + three) / 2
  })
  return Math.min(1, Math.max(0, leastMean(differences, turnsDoubt) / turnsFull))
}

/** The keys of four patterns stored one after the other. */
export type Run = readonly [Float32Array, Float32Array, Float32Array, Float32Array]

/** The mean of values less `errors` standard errors; 0 for fewer than two values. */
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

/** Cosine of a - centre and b - centre; undefined if one of them is 0. */
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
