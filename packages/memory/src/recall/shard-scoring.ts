import { norm } from '@memory/engine/kernels/javascript'
import type { StoreOrder } from '@memory/engine/recall/contiguity'
import type { MeanDeviation } from '@memory/engine/recall/mean-deviation'
import { queryCentre } from '@memory/engine/recall/query-centre'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { semanticMeanDeviation } from './semantic-deviation.ts'
import { shapeOf } from './space-shape.ts'

/** What the candidates of one shard are scored against: nothing of it depends on which they are. */
export interface ShardScoring {
  shard: Shard
  /** Each view of the query in the shard's dimension, the whole query first. */
  queries: readonly Float32Array[]
  /** That all of them are told apart from; undefined: nothing. */
  centre: Float32Array | undefined
  /** Length of the centre; 0 where there is none. */
  centreNorm: number
  /** Of the semantic head over the shard, by view. */
  semantic: readonly MeanDeviation[]
  /** What store order says in the shard. */
  order: StoreOrder
}

export interface ShardQuery {
  index: SpaceIndex
  shard: Shard
  /** Each view of the query, the whole query first: as long as the shard has dimensions, not all zero. */
  views: readonly Float32Array[]
  learning: SpaceLearning
  /**
   * Whether the query is a text. Texts are told apart from their space's centre; of keys that somebody else made, nothing
   * says that what they have in common is not meant.
   */
  isText: boolean
}

/** Measures what the candidates of a query in a shard are scored against. */
export async function shardScoringOf(
  context: Pick<MemoryContext, 'queries'>,
  caller: Caller,
  { index, shard, views, learning, isText }: ShardQuery,
): Promise<ShardScoring> {
  const shape = await shapeOf(context, caller, index, shard)
  const centre = isText ? queryCentre(shape.directions, learning.queryDirections) : undefined
  const centreNorm = centre === undefined ? 0 : norm(centre)
  const apartFrom = centreNorm > 0 ? centre : undefined
  const of = { index, shard, shape }
  const semantic = await Promise.all(
    views.map((view) => semanticMeanDeviation(context, caller, of, view, apartFrom)),
  )
  return { shard, queries: views, centre: apartFrom, centreNorm, semantic, order: shape.order }
}
