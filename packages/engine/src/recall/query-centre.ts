import { parameters } from '../parameters.ts'

const { centreShrink, askedShrink, centreShare } = parameters.recall

/** The sum of `count` unit vectors. */
export interface Directions {
  sum: ArrayLike<number>
  count: number
}

/**
 * The centre c that recall subtracts from a query's direction: what queries of the space have in common, such as that they ask
 * something, so that only what is particular to one query counts. It is the mean of past queries, shrunk towards the mean of the
 * keys as if `askedShrink` queries had been that mean, which is itself shrunk towards 0 by `centreShrink` vectors.
 * @returns `centreShare` times that mean, of the keys' dimension; zeros if nothing is known
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
