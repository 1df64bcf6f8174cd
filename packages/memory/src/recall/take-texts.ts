import type { Scored } from '@memory/engine/recall/score'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { Payload } from '../patterns/pattern-cache.ts'

/** A text of an answer. */
export interface TakenText<One = Scored> {
  scored: One
  payload: Payload & { text: string }
}

/**
 * The first k of scored patterns that are texts and still there. Each round trip looks at twice as many as the last, so
 * that few are made where vectors lie between the texts.
 */
export async function takeTexts<One extends { idx: number }>(
  { payloads }: Pick<MemoryContext, 'payloads'>,
  spaceId: string,
  index: SpaceIndex,
  scored: readonly One[],
  k: number,
): Promise<TakenText<One>[]> {
  const taken: TakenText<One>[] = []
  let looked = 0
  while (taken.length < k && looked < scored.length) {
    const part = scored.slice(looked, 2 * looked + k)
    looked += part.length
    const found = await payloads.find(
      spaceId,
      index,
      part.map(({ idx }) => idx),
      { value: false },
    )
    for (const one of part) {
      const payload = found.get(one.idx)
      if (payload?.text != null && taken.length < k)
        taken.push({ scored: one, payload: payload as TakenText['payload'] })
    }
  }
  return taken
}
