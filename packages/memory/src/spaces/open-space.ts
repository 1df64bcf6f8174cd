import type { Caller } from '@memory/shared/catalogue/operation'
import type { Requester } from '../compute.ts'
import type { MemoryContext } from '../context.ts'

/** A space to work in, who asks for it, and the least versions (of its patterns, of its learning) that copies must have. */
export type OpenSpace = Requester & Pick<Caller, 'spaceId' | 'spaceVersion' | 'engineVersion'>

/** A space's index and learning, including everything that this process has observed so far. */
export async function readSpace(
  { spaces, learned, learning }: Pick<MemoryContext, 'spaces' | 'learned' | 'learning'>,
  { spaceId, spaceVersion, engineVersion }: OpenSpace,
) {
  // Writes this process's pending observations first, so that `learned.get` below reads them too.
  await learning.read(spaceId)
  const index = await spaces.get(spaceId, spaceVersion)
  return { index, learned: await learned.get(spaceId, engineVersion) }
}
