import { expectedGain, type Validity } from './gain.ts'

/** Two patterns, a < b. */
export interface Pair {
  a: number
  b: number
}

export const pairOf = (one: number, other: number): Pair =>
  one < other ? { a: one, b: other } : { a: other, b: one }

/** A key for maps, the same for equal pairs. */
export const pairName = ({ a, b }: Pair): string => `${a},${b}`

/** Candidate pairs by where they come from. */
export interface PairSources {
  associated: readonly Pair[]
  near: readonly Pair[]
  random: readonly Pair[]
}

export interface RatedPair extends Pair {
  /** Expected information gain of one more trial, in nats. */
  gain: number
}

/** The sources of each five pairs that are chosen. */
const mix = ['associated', 'near', 'associated', 'near', 'random'] as const

/**
 * Chooses the `count` pairs with the greatest expected information gain, 40 % of them associated, 40 % near and 20 % random;
 * where a source has too few, the others make up for it. Each pair once, greatest gain first.
 * @param validityOf the belief from earlier trials
 */
export function choosePairs(
  sources: PairSources,
  validityOf: (pair: Pair) => Validity,
  count: number,
): RatedPair[] {
  const taken = new Set<string>()
  const rated = (pairs: readonly Pair[]): RatedPair[] =>
    pairs
      .filter(({ a, b }) => a !== b)
      .map(({ a, b }) => ({ a, b, gain: expectedGain(validityOf({ a, b })) }))
      .sort((one, other) => other.gain - one.gain)
  const left = {
    associated: rated(sources.associated),
    near: rated(sources.near),
    random: rated(sources.random),
  }
  const takeFrom = (source: keyof PairSources): RatedPair | undefined => {
    let pair = left[source].shift()
    while (pair !== undefined && taken.has(pairName(pair))) pair = left[source].shift()
    return pair
  }
  const chosen: RatedPair[] = []
  while (chosen.length < count) {
    const wanted = mix[chosen.length % mix.length] as keyof PairSources
    const pair = [wanted, ...mix].reduce<RatedPair | undefined>(
      (found, source) => found ?? takeFrom(source),
      undefined,
    )
    if (pair === undefined) break
    taken.add(pairName(pair))
    chosen.push(pair)
  }
  return chosen.sort((one, other) => other.gain - one.gain)
}
