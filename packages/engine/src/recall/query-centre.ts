import { parameters } from '../parameters.ts'

const { centreShrink, askedShrink, centreShare } = parameters.recall

/** A sum of unit vectors and how many they are. */
export interface Directions {
  sum: ArrayLike<number>
  count: number
}

/**
 * The query that a space expects: the mean of its past queries, starting from the mean of its keys. Queries share what
 * keys don't (that they ask, say), so what is told apart from this centre is the query's own. Both means are shrunk: the
 * keys' towards 0 by as much as 20 vectors weigh, and the queries' towards the keys' by as much as 200.
 * @returns 0.6 of that direction, as much of it as is taken from cosines, of the length of the keys' sum; 0 where
 * nothing is known
 */
export function queryCentre(keys: Directions, queries: Directions): Float32Array {
  const known = queries.count > 0 && queries.sum.length === keys.sum.length ? queries.count : 0
  const ofKeys = keys.count > 0 ? 1 / (keys.count + centreShrink) : 0
  const centre = new Float32Array(keys.sum.length)
  for (let i = 0; i < centre.length; i++) {
    const asked = known > 0 ? (queries.sum[i] as number) : 0
    const expected = (asked + askedShrink * (keys.sum[i] as number) * ofKeys) / (known + askedShrink)
    centre[i] = centreShare * expected
  }
  return centre
}
