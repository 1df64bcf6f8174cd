import { norm } from '@memory/engine/kernels/javascript'
import type { SpaceState } from '@memory/engine/learning/state'
import type { StoreOrder } from '@memory/engine/recall/contiguity'
import { queryCentre } from '@memory/engine/recall/query-centre'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import type { Kinship } from '../lexical/language.ts'
import { type SemanticSpread, semanticMeanDeviation } from './semantic-deviation.ts'
import { type Shaped, type SpaceShape, shapeOf, sizeOf } from './space-shape.ts'

/** Statistics of one shard that candidates' scores are normalised by. They do not depend on the candidates. */
export interface ShardScoring {
  shard: Shard
  /** How many of its patterns the caller may see. */
  size: number
  /** Each view of the query in the shard's dimension, the whole query first. */
  queries: readonly Float32Array[]
  /** The centre that is subtracted from the direction of each view; undefined: none. */
  centre: Float32Array | undefined
  /** Length of the centre; 0 without one. */
  centreNorm: number
  /** Mean and deviation of the semantic head over the shard, for each view. */
  semantic: readonly SemanticSpread[]
  /** What store order says in the shard. */
  order: StoreOrder
}

/** A query, and the shard to measure for it. */
export interface ShardQuery extends Shaped {
  /** Each view of the query, the whole query first: vectors of the shard's dimension, not all zero. */
  views: readonly Float32Array[]
  learning: SpaceLearning
  /** Whether a text is in the query's language, as far as that is known; undefined for a query that is a vector. */
  kinshipOf?: ((idx: number) => Kinship) | undefined
}

/**
 * Measures the statistics of a shard for a query. Embeddings of texts share a common direction, the centre, which says nothing
 * about any one of them and is subtracted. Keys that clients bring are taken as they are: a common direction may be meant.
 */
export async function shardScoringOf(
  context: Pick<MemoryContext, 'queries'>,
  caller: Caller,
  { views, learning, kinshipOf, ...shaped }: ShardQuery,
): Promise<ShardScoring> {
  const { shard, texts, visible } = shaped
  const shape = await shapeOf(context, caller, shaped)
  const asked = visible === undefined ? learning.state.asked : nothingAsked
  const { centre, centreNorm } = texts ? centreOf(shape, asked) : noCentre
  const apartFrom = centreNorm > 0 ? centre : undefined
  const semantic = await Promise.all(
    views.map((view) =>
      semanticMeanDeviation(context, caller, shaped, shape, { query: view, centre: apartFrom, kinshipOf }),
    ),
  )
  return {
    shard,
    size: sizeOf(shaped),
    queries: views,
    centre: apartFrom,
    centreNorm,
    semantic,
    order: { ...shape.order, sequence: texts },
  }
}

interface Centre {
  centre: Float32Array | undefined
  centreNorm: number
}

const noCentre: Centre = { centre: undefined, centreNorm: 0 }

/** The last centre computed for each shape, with the state of learning that it was computed from. */
const centres = new WeakMap<SpaceShape, Centre & { asked: SpaceState['asked'] }>()

/** Used for callers bound to an end user: what others have asked must not influence their answers. */
const nothingAsked: SpaceState['asked'] = { mean: [], count: 0 }

/** The centre of a shard, between its keys and the queries asked; computed anew when the queries' mean has changed. */
function centreOf(shape: SpaceShape, asked: SpaceState['asked']): Centre {
  const before = centres.get(shape)
  if (before?.asked === asked) return before
  const { mean, count } = asked
  const centre = queryCentre(shape.directions, { sum: mean.map((value) => value * count), count })
  const now = { centre, centreNorm: norm(centre), asked }
  centres.set(shape, now)
  return now
}
