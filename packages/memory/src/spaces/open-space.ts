import type { Caller } from '@memory/shared/catalogue/operation'
import type { Requester } from '../compute.ts'
import type { MemoryContext } from '../context.ts'

/** A space that work is done in, with the versions that it must have at least. */
export type OpenSpace = Requester & Pick<Caller, 'spaceId' | 'spaceVersion' | 'engineVersion'>

/** A space as it is, with all that this process has seen of its use. */
export async function readSpace(
  { spaces, learned, learning }: Pick<MemoryContext, 'spaces' | 'learned' | 'learning'>,
  { spaceId, spaceVersion, engineVersion }: OpenSpace,
) {
  // What was recorded is written first, and comes back with the version that its writing made.
  await learning.read(spaceId)
  const index = await spaces.get(spaceId, spaceVersion)
  return { index, learned: await learned.get(spaceId, engineVersion) }
}
