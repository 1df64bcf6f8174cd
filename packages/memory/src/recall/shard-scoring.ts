import { norm } from '@memory/engine/kernels/javascript'
import { queryCentre } from '@memory/engine/recall/query-centre'
import type { SpaceHeads } from '@memory/engine/recall/score'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { semanticMeanDeviation } from './semantic-deviation.ts'
import { shapeOf } from './space-shape.ts'

/** What the candidates of one shard are scored against: nothing of it depends on which they are. */
export interface ShardScoring extends Pick<SpaceHeads, 'centreNorm' | 'semantic'> {
  shard: Shard
  /** The query in the shard's dimension; behind it the centre that it is told apart from, where there is one. */
  directions: readonly [Float32Array, Float32Array?]
  /** How far store order says what belongs together, in [0, 1]. */
  sequenceCoherence: number
}

export interface ShardQuery {
  index: SpaceIndex
  shard: Shard
  /** As long as the shard has dimensions, not all zero. */
  query: Float32Array
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
  { index, shard, query, learning, isText }: ShardQuery,
): Promise<ShardScoring> {
  const shape = await shapeOf(context, caller, index, shard)
  const centre = isText ? queryCentre(shape.directions, learning.queryDirections) : undefined
  const centreNorm = centre === undefined ? 0 : norm(centre)
  const apartFrom = centreNorm > 0 ? centre : undefined
  const semantic = await semanticMeanDeviation(context, caller, { index, shard, shape }, query, apartFrom)
  const directions = apartFrom === undefined ? ([query] as const) : ([query, apartFrom] as const)
  return { shard, directions, centreNorm, semantic, sequenceCoherence: shape.sequenceCoherence }
}
