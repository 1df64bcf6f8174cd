import { norm } from '@memory/engine/kernels/javascript'
import { kernels } from '@memory/engine/kernels/kernels'
import { type MeanDeviation, meanDeviation, noSignal } from '@memory/engine/recall/mean-deviation'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import { isOf, type Shaped, type SpaceShape } from './space-shape.ts'

/**
 * Mean and deviation over a shard of what the semantic head says of its patterns, (q/|q| - c) k/|k|, from the sample that
 * stands for them.
 */
export async function semanticMeanDeviation(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Pick<Caller, 'spaceId'>,
  shaped: Shaped,
  shape: SpaceShape,
  { query, centre, isForeign }: SeenFrom,
): Promise<SemanticSpread> {
  const { shard } = shaped
  const direction = centre === undefined ? query : apart(query, centre)
  const length = centre === undefined ? 1 : norm(direction)
  if (length === 0) return { ...noSignal, foreignLag: 0 }
  const { values, held } = shard.cosines(shape.sample, [direction])
  const native: number[] = []
  const foreign: number[] = []
  const note = (idx: number, value: number) => (isForeign?.(idx) ? foreign : native).push(value)
  const others: number[] = []
  for (let at = 0; at < shape.sample.length; at++) {
    const idx = shape.sample[at] as number
    // Some may be gone since the sample was taken.
    if (!isOf(shaped, idx)) continue
    if (held[at] === 1) note(idx, length * (values[at] as number))
    else others.push(idx)
  }
  // Kept for all callers together: keys for each end user would take too much.
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

/** What patterns are seen from. */
interface SeenFrom {
  /** As long as the shard has dimensions, not all zero. */
  query: Float32Array
  /** That queries are told apart from; undefined: nothing. */
  centre: Float32Array | undefined
  /** Whether a text is known to be in another language than the query; undefined for a key. */
  isForeign?: ((idx: number) => boolean) | undefined
}

/** Mean and deviation over all patterns, and how much further from the query those are whose language is another one. */
export interface SemanticSpread extends MeanDeviation {
  foreignLag: number
}

/** Of few texts, a mean says little: it is shrunk towards that of all by as much as these weigh. */
const lagShrink = 5

function spreadOf(native: readonly number[], foreign: readonly number[]): SemanticSpread {
  const all = meanDeviation([...native, ...foreign])
  const shrunk = (values: readonly number[]) =>
    (values.reduce((sum, value) => sum + value, 0) + lagShrink * all.mean) / (values.length + lagShrink)
  return { ...all, foreignLag: shrunk(native) - shrunk(foreign) }
}

function apart(query: Float32Array, centre: Float32Array): Float32Array {
  const scale = 1 / norm(query)
  return query.map((value, i) => scale * value - (centre[i] as number))
}
