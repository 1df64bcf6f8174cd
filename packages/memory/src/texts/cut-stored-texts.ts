import type { MemoryContext } from '../context.ts'
import { addPassages } from '../lexical/passage-store.ts'
import { findPayloads } from '../store.ts'
import { embedPassages } from './embed-texts.ts'

/** Texts that one call cuts: a second of a thread's time each. */
const cutAtOnce = 4

/**
 * Gives a few long texts passages that were stored before there were passages, in spaces that this process recalls from.
 * What is done stays done, wherever it ends, and the rest is found again by whoever next reads the space.
 * @param isBusy whether there is something better to do
 */
export async function cutStoredTexts(
  { queries, compute, texts }: Pick<MemoryContext, 'queries' | 'compute' | 'texts'>,
  isBusy: () => boolean,
): Promise<void> {
  for (let cut = 0; cut < cutAtOnce && !isBusy(); cut++) {
    const uncut = texts.takeUncut()
    if (uncut === undefined) return
    const { spaceId, idx } = uncut
    const [payload] = await findPayloads(queries, spaceId, [idx], false)
    if (payload?.text == null) continue
    // Nobody asks for it: its turns are the space's own.
    const [passages = []] = await embedPassages(compute, { organizationId: spaceId }, [payload.text])
    if (passages.length === 0) continue
    await addPassages(queries, spaceId, { idx, passages, text: payload.text, model: compute.modelId })
  }
}
