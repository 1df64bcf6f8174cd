import type { StoreOrder } from '@memory/engine/successor'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { PatternSet } from '../index/pattern-set.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceTexts } from '../lexical/text-cache.ts'

/** The texts of a space, at least as new as its index; undefined if it has none. */
export async function textsIn(
  { texts, compute }: Pick<MemoryContext, 'texts' | 'compute'>,
  { spaceId }: Pick<Caller, 'spaceId'>,
  index: SpaceIndex,
): Promise<SpaceTexts | undefined> {
  const shard = index.shard(compute.dimensions)
  return shard === undefined || shard.size === 0 ? undefined : texts.get(spaceId, index.version)
}

/**
 * Store order among texts of the same subject, as recall uses it: vectors and other subjects' texts in between are skipped.
 * @param among the patterns that a filter lets in; undefined: all. Others are skipped too.
 */
export function textOrder(
  index: SpaceIndex,
  texts: SpaceTexts | undefined,
  among: PatternSet | undefined,
): Required<StoreOrder> {
  if (texts === undefined) return { isStored: () => false, nextInOrder: () => undefined }
  const isStored = (idx: number) => texts.has(idx) && (among?.has(idx) ?? true) && index.isStored(idx)
  // With a narrow filter it is faster to go through the patterns that it lets in than through the texts: many may lie between
  // two.
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

/** A filter is narrow if it lets in fewer than one in this many patterns. */
const narrow = 8
