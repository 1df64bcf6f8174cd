import type { StoreOrder } from '@memory/engine/successor'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceTexts } from '../lexical/text-cache.ts'

/** What is known of a space's texts, at least as new as its index; undefined where it has none. */
export async function textsIn(
  { texts, compute }: Pick<MemoryContext, 'texts' | 'compute'>,
  { spaceId }: Pick<Caller, 'spaceId'>,
  index: SpaceIndex,
): Promise<SpaceTexts | undefined> {
  const shard = index.shard(compute.dimensions)
  return shard === undefined || shard.size === 0 ? undefined : texts.get(spaceId, index.version)
}

/**
 * What is in a space, and what was stored after what. After a text that is known as one comes the next one of the same
 * subject, as in recall: vectors and what others store lie between texts without being what follows. After anything else
 * comes whatever is next.
 */
export function storeOrder(index: SpaceIndex, texts?: SpaceTexts): Required<StoreOrder> {
  const isStored = (idx: number) => index.shardOf(idx) !== undefined
  const after = (idx: number) => (texts?.has(idx) ? texts.order.after(idx) : index.nextAfter(idx))
  return { isStored, nextInOrder: (idx) => next(idx, after, isStored) }
}

/** The same of texts alone, and among them of those that a filter lets in (undefined: all): others are as if not there. */
export function textOrder(
  index: SpaceIndex,
  texts: SpaceTexts | undefined,
  among: PatternSet | undefined,
): Required<StoreOrder> {
  if (texts === undefined) return { isStored: () => false, nextInOrder: () => undefined }
  const isStored = (idx: number) =>
    texts.has(idx) && (among?.has(idx) ?? true) && index.shardOf(idx) !== undefined
  // A filter that lets few in leads to the next one at once; from text to text there may be a million between two of them.
  const isNarrow = among !== undefined && narrow * among.count < index.size
  const nextInOrder = (idx: number) => {
    if (!isNarrow || !texts.has(idx)) return next(idx, (one) => texts.order.after(one), isStored)
    for (const other of among.from(idx + 1)) {
      if (isStored(other) && texts.order.isOfOne(idx, other)) return other
    }
    return undefined
  }
  return { isStored, nextInOrder }
}

/** By how much fewer patterns a filter lets in than there are, so that these are gone through. */
const narrow = 8

function next(
  idx: number,
  after: (idx: number) => number | undefined,
  isStored: (idx: number) => boolean,
): number | undefined {
  let following = after(idx)
  while (following !== undefined && !isStored(following)) following = after(following)
  return following
}
