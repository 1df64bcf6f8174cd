import { inverseTemperature, type Relaxed, relax } from '@memory/engine/energy'
import { type Hits, kernels } from '@memory/engine/kernels/kernels'
import { toUnitMagnitude } from '@memory/engine/kernels/magnitude'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'

/** The results of a search, reordered by the Hopfield retrieval that starts at the query (the `energy` pathway). */
export interface RelaxedHits {
  /** Ordered by cosine with the final state, ties by lower idx. The scores are still the cosines with the query. */
  hits: Hits
  /** Cosine of each hit with the final state. */
  energy: Float64Array
  relaxed: Relaxed
}

/**
 * Runs the Hopfield retrieval from a query among the patterns that its search found, without those that are gone by now. If all
 * keys have one length, it runs in that length; if some were projected down from the query's length, in the query's.
 * @param patterns number of patterns that were searched
 */
export async function relaxHits(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Pick<Caller, 'spaceId'>,
  index: SpaceIndex,
  query: Float32Array,
  found: Hits,
  patterns: number,
): Promise<RelaxedHits> {
  const keys = await findHitKeys(queries, spaceId, index, query.length, found.labels)
  const there = [...found.labels.keys()].filter((at) => keys.has(found.labels[at] as number))
  const vectors = there.map((at) => keys.get(found.labels[at] as number) as Float32Array)
  const lengths = new Set(vectors.map((key) => key.length))
  const dimensions = lengths.size === 1 ? (vectors[0] as Float32Array).length : query.length
  const values = new Float32Array(vectors.length * dimensions)
  vectors.forEach((key, row) => {
    const isWhole = key.length === dimensions
    values.set(isWhole ? key : kernels.unproject(toUnitMagnitude(key).vector, dimensions), row * dimensions)
  })
  const start =
    dimensions === query.length ? query : kernels.project(toUnitMagnitude(query).vector, dimensions)
  const inverseNorms = kernels.norms(values, dimensions).map((norm) => 1 / norm)
  const relaxed = relax(values, inverseNorms, start, { beta: inverseTemperature(patterns) })
  const order = there
    .map((at, row) => ({
      idx: found.labels[at] as number,
      score: found.scores[at] as number,
      energy: relaxed.cosines[row] as number,
    }))
    .sort((a, b) => b.energy - a.energy || a.idx - b.idx)
  return {
    hits: {
      labels: Int32Array.from(order, ({ idx }) => idx),
      scores: Float64Array.from(order, ({ score }) => score),
    },
    energy: Float64Array.from(order, ({ energy }) => energy),
    relaxed,
  }
}

/** Keys of patterns that a query of this length searches, by idx; none for a pattern that is gone. */
export async function findHitKeys(
  queries: MemoryContext['queries'],
  spaceId: string,
  index: SpaceIndex,
  dimensions: number,
  labels: Int32Array,
): Promise<Map<number, Float32Array>> {
  const found = await Promise.all(
    index.shardsFor(dimensions).map((shard) => {
      const own = labels.filter((idx) => index.isIn(shard, idx))
      return findShardKeys(queries, spaceId, shard, own)
    }),
  )
  return new Map(found.flatMap((keys) => [...keys]))
}
