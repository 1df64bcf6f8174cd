import { norm } from '@memory/engine/kernels/javascript'
import type { SpaceState } from '@memory/engine/learning/state'
import type { StoreOrder } from '@memory/engine/recall/contiguity'
import { queryCentre } from '@memory/engine/recall/query-centre'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { type SemanticSpread, semanticMeanDeviation } from './semantic-deviation.ts'
import { type Shaped, type SpaceShape, shapeOf, sizeOf } from './space-shape.ts'

/** What the candidates of one shard are scored against: nothing of it depends on which they are. */
export interface ShardScoring {
  shard: Shard
  /** How many of its patterns the caller may see. */
  size: number
  /** Each view of the query in the shard's dimension, the whole query first. */
  queries: readonly Float32Array[]
  /** That all of them are told apart from; undefined: nothing. */
  centre: Float32Array | undefined
  /** Length of the centre; 0 where there is none. */
  centreNorm: number
  /** Of the semantic head over the shard, by view. */
  semantic: readonly SemanticSpread[]
  /** What store order says in the shard. */
  order: StoreOrder
}

export interface ShardQuery extends Shaped {
  /** Each view of the query, the whole query first: as long as the shard has dimensions, not all zero. */
  views: readonly Float32Array[]
  learning: SpaceLearning
  /** Whether a text is known to be in another language than the query; undefined for a key. */
  isForeign?: ((idx: number) => boolean) | undefined
}

/**
 * Measures what the candidates of a query in a shard are scored against. Texts are told apart from their space's centre; of keys
 * that somebody else made, nothing says that what they have in common is not meant.
 */
export async function shardScoringOf(
  context: Pick<MemoryContext, 'queries'>,
  caller: Caller,
  { views, learning, isForeign, ...shaped }: ShardQuery,
): Promise<ShardScoring> {
  const { shard, texts, visible } = shaped
  const shape = await shapeOf(context, caller, shaped)
  const asked = visible === undefined ? learning.state.asked : nothingAsked
  const { centre, centreNorm } = texts ? centreOf(shape, asked) : noCentre
  const apartFrom = centreNorm > 0 ? centre : undefined
  const semantic = await Promise.all(
    views.map((view) =>
      semanticMeanDeviation(context, caller, shaped, shape, { query: view, centre: apartFrom, isForeign }),
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

/** Of the shapes of shards, with what their spaces had been asked. */
const centres = new WeakMap<SpaceShape, Centre & { asked: SpaceState['asked'] }>()

/** What others have asked is nothing that a bound caller's answers go by. */
const nothingAsked: SpaceState['asked'] = { mean: [], count: 0 }

/** What queries are told apart from; computed anew when a space has learned. */
function centreOf(shape: SpaceShape, asked: SpaceState['asked']): Centre {
  const before = centres.get(shape)
  if (before?.asked === asked) return before
  const { mean, count } = asked
  const centre = queryCentre(shape.directions, { sum: mean.map((value) => value * count), count })
  const now = { centre, centreNorm: norm(centre), asked }
  centres.set(shape, now)
  return now
}
