import type { MemoryContext } from '../context.ts'
import { addPassages } from '../lexical/passage-store.ts'
import { findPayloads } from '../store.ts'
import { embedPassages } from './embed-texts.ts'

/** Texts cut per call: a second of a thread's time each. */
const cutAtOnce = 4

/**
 * Adds passages to a few long texts that were stored by a release without passages, in spaces that this process has in memory.
 * Can be interrupted: texts that are left are found again when the space is next read.
 * @param isBusy whether requests wait for threads, so that this should stop
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
    // No organization asks for this, so turns are counted for the space instead.
    const [passages = []] = await embedPassages(compute, { organizationId: spaceId }, [payload.text])
    if (passages.length === 0) continue
    await addPassages(queries, spaceId, { idx, passages, text: payload.text, model: compute.modelId })
  }
}
