import { norm } from '@memory/engine/kernels/javascript'
import type { Hits } from '@memory/engine/kernels/kernels'
import { toUnitMagnitude } from '@memory/engine/kernels/magnitude'
import { project } from '@memory/engine/kernels/rotation'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { mergeHits } from '../index/merge-hits.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { rescore } from './rescore.ts'

type Searching = Pick<MemoryContext, 'compute' | 'queries' | 'speculativeSearches'>

/** The parameters of a search. */
export interface VectorSearch {
  k: number
  /** See `ShardSearch.exactK`. */
  exactK?: number | undefined
  /** Least cosine. */
  minScore: number
  /** The patterns to search among; undefined: all. */
  among?: PatternSet | undefined
}

/** The results of a search. */
export interface VectorHits {
  /** The results of each query, best first, ties by lower idx. */
  hits: Hits[]
  /** How many patterns each query was compared with. */
  compared: number
}

/** If less than this share of a query's length is left after projection, it is rounding and has no direction. */
const projectedShareMin = 1e-6

/**
 * The patterns nearest to each of several vectors of one length, among patterns with a key of that length and patterns whose key
 * was projected down from it. The latter are compared with the query projected in the same way.
 */
export async function searchVectors(
  context: Searching,
  caller: Caller,
  index: SpaceIndex,
  queries: readonly Float32Array[],
  search: VectorSearch,
): Promise<VectorHits> {
  const dimensions = queries[0]?.length ?? 0
  const shards = search.among?.count === 0 ? [] : index.shardsFor(dimensions)
  const found = await Promise.all(
    shards.map((shard) => searchOneShard(context, caller, index, shard, queries, search)),
  )
  return {
    hits: queries.map((_, i) => {
      const lists = found.map(({ hits }) => hits[i] as Hits)
      return lists.length === 1 ? (lists[0] as Hits) : mergeHits(lists, search.k)
    }),
    compared: found.reduce((sum, { compared }) => sum + compared, 0),
  }
}

async function searchOneShard(
  { compute, speculativeSearches, queries: database }: Searching,
  caller: Caller,
  index: SpaceIndex,
  shard: Shard,
  queries: readonly Float32Array[],
  { k, exactK, minScore, among }: VectorSearch,
): Promise<VectorHits> {
  const restricted = among && index.allow(shard, among)
  const compared = restricted?.count ?? shard.size
  if (compared === 0) return { hits: queries.map(() => none), compared }
  // k is not limited to the shard's size: the shard may grow before the search runs.
  const task = { k, exactK, minScore, textOnly: false, allowed: restricted?.bits }
  const seen = queries.map((query) => asSeenBy(shard, query))
  const comparable = seen.filter((query) => query !== undefined)
  const searchOne = (query: Float32Array) =>
    speculativeSearches.take(caller, shard, query, task) ?? compute.search(caller, shard, query, task)
  const found =
    comparable.length > 1
      ? await compute.searchMany(caller, shard, comparable, task)
      : await Promise.all(comparable.map(searchOne))
  const results = (await rescore(database, caller.spaceId, shard, comparable, found, task)).values()
  return { hits: seen.map((query) => (query && results.next().value) ?? none), compared }
}

const none: Hits = { labels: new Int32Array(), scores: new Float64Array() }

/** A query in the dimension of a shard's keys, projected if necessary; undefined if the projection leaves nothing of it. */
export function asSeenBy({ dimensions }: Shard, query: Float32Array): Float32Array | undefined {
  if (query.length === dimensions) return query
  const { vector } = toUnitMagnitude(query)
  const projected = project(vector, dimensions)
  return norm(projected) > projectedShareMin * norm(vector) ? projected : undefined
}
