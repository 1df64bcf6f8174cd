import { norm } from '@memory/engine/kernels/javascript'
import { kernels } from '@memory/engine/kernels/kernels'
import { type MeanDeviation, meanDeviation, noSignal } from '@memory/engine/recall/mean-deviation'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { Kinship } from '../lexical/language.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import { isOf, type Shaped, type SpaceShape } from './space-shape.ts'

/**
 * Mean and deviation over a shard of the semantic head's value, (q/|q| - c) · k/|k| for query q, centre c and key k. Estimated
 * from the sample of the shard's shape.
 */
export async function semanticMeanDeviation(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Pick<Caller, 'spaceId'>,
  shaped: Shaped,
  shape: SpaceShape,
  { query, centre, kinshipOf }: SeenFrom,
): Promise<SemanticSpread> {
  const { shard } = shaped
  const direction = centre === undefined ? query : apart(query, centre)
  const length = centre === undefined ? 1 : norm(direction)
  if (length === 0) return { ...noSignal, foreignLag: 0 }
  const { values, held } = shard.cosines(shape.sample, [direction])
  const native: number[] = []
  const foreign: number[] = []
  const note = (idx: number, value: number) => (kinshipOf?.(idx) === 'foreign' ? foreign : native).push(value)
  const others: number[] = []
  for (let at = 0; at < shape.sample.length; at++) {
    const idx = shape.sample[at] as number
    // Patterns may have been removed, or become invisible, since the sample was taken.
    if (!isOf(shaped, idx)) continue
    if (held[at] === 1) note(idx, length * (values[at] as number))
    else others.push(idx)
  }
  // Keys read from the database are kept with the shape, but not with shapes of end users, which together would take too much.
  const readKeys = shaped.visible === undefined ? shape.readKeys : new Map<number, Float32Array>()
  const unread = others.filter((idx) => !readKeys.has(idx))
  if (unread.length > 0) {
    const read = await findShardKeys(queries, spaceId, shard, Int32Array.from(unread))
    for (const [idx, key] of read) readKeys.set(idx, key)
  }
  for (const idx of others) {
    const key = readKeys.get(idx)
    if (key !== undefined) note(idx, length * kernels.cosine(key, direction))
  }
  return spreadOf(native, foreign)
}

/** The query that the semantic head's values are measured for. */
interface SeenFrom {
  /** Of the shard's dimension, not all zero. */
  query: Float32Array
  /** The centre that is subtracted from the query's direction; undefined: none. */
  centre: Float32Array | undefined
  /** Whether a text is in the query's language, as far as that is known; undefined for a query that is a vector. */
  kinshipOf?: ((idx: number) => Kinship) | undefined
}

/** Mean and deviation of the semantic head's values over all patterns of a shard. */
export interface SemanticSpread extends MeanDeviation {
  /** Mean value of texts in the query's language minus that of texts in other languages: how far foreign ones lag behind. */
  foreignLag: number
}

/** A mean of few texts is unreliable: it is shrunk towards the overall mean, as if that many texts had the overall mean. */
const lagShrink = 5

function spreadOf(native: readonly number[], foreign: readonly number[]): SemanticSpread {
  const all = meanDeviation([...native, ...foreign])
  const shrunk = (values: readonly number[]) =>
    (values.reduce((sum, value) => sum + value, 0) + lagShrink * all.mean) / (values.length + lagShrink)
  return { ...all, foreignLag: shrunk(native) - shrunk(foreign) }
}

/** q/|q| - c. */
function apart(query: Float32Array, centre: Float32Array): Float32Array {
  const scale = 1 / norm(query)
  return query.map((value, i) => scale * value - (centre[i] as number))
}
