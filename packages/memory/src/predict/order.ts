import type { StoreOrder } from '@memory/engine/successor'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
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
 * @param isWanted what may come; all that is there
 */
export function storeOrder(
  index: SpaceIndex,
  texts?: SpaceTexts,
  isWanted: (idx: number) => boolean = () => true,
): Required<StoreOrder> {
  const isStored = (idx: number) => index.shardOf(idx) !== undefined && isWanted(idx)
  const after = (idx: number) => (texts?.has(idx) ? texts.order.after(idx) : index.nextAfter(idx))
  return {
    isStored,
    nextInOrder: (idx) => {
      let next = after(idx)
      while (next !== undefined && !isStored(next)) next = after(next)
      return next
    },
  }
}
