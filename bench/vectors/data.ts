import { Mixture } from './mixture.ts'

export const dimensions = 384
/** Results of a query. */
export const k = 10
const recallQueries = 100

/** What every server stores and is asked. */
export interface Data {
  stored: Float32Array[]
  /** Stored one by one after these. */
  singles: Float32Array[]
  /** Stored by several connections at a time, when all queries were asked. */
  later: Float32Array[]
  warmUp: Float32Array[]
  queries: Float32Array[]
  /** The numbers of the k nearest of `stored` and `singles`, for each of the first queries. */
  nearest: number[][]
}

export function makeData(counts: Record<Exclude<keyof Data, 'nearest'>, number>): Data {
  const mixture = new Mixture(dimensions, Math.ceil(counts.stored / 100), counts.stored)
  const take = (count: number) => Array.from({ length: count }, () => mixture.next())
  const [stored, singles, queries] = [take(counts.stored), take(counts.singles), take(counts.queries)]
  const [warmUp, later] = [take(counts.warmUp), take(counts.later)]
  const all = [...stored, ...singles]
  return {
    stored,
    singles,
    later,
    warmUp,
    queries,
    nearest: queries.slice(0, recallQueries).map((query) => nearest(all, query)),
  }
}

/** Numbers of the k nearest by a plain scan. */
function nearest(vectors: readonly Float32Array[], query: Float32Array): number[] {
  const scores = Float64Array.from(vectors, (vector) => {
    let sum = 0
    for (let i = 0; i < dimensions; i++) sum += (vector[i] as number) * (query[i] as number)
    return sum
  })
  return [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number)).slice(0, k)
}
