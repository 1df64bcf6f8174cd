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
 * The order of the texts of each subject, as in recall: vectors and what others store lie between them without being what follows.
 * @param among what a filter lets in (undefined: all); what it leaves out is as if not there
 */
export function textOrder(
  index: SpaceIndex,
  texts: SpaceTexts | undefined,
  among: PatternSet | undefined,
): Required<StoreOrder> {
  if (texts === undefined) return { isStored: () => false, nextInOrder: () => undefined }
  const isStored = (idx: number) => texts.has(idx) && (among?.has(idx) ?? true) && index.isStored(idx)
  // A filter that lets few in leads to the next one at once; from text to text there may be a million between two of them.
  const isNarrow = among !== undefined && narrow * among.count < index.size
  const nextInOrder = (idx: number) => {
    if (isNarrow && texts.has(idx)) {
      for (const other of among.from(idx + 1)) {
        if (isStored(other) && texts.order.isOfOne(idx, other)) return other
      }
      return undefined
    }
    let next = texts.order.after(idx)
    while (next !== undefined && !isStored(next)) next = texts.order.after(next)
    return next
  }
  return { isStored, nextInOrder }
}

/** By how much fewer patterns a filter lets in than there are, so that these are gone through. */
const narrow = 8
