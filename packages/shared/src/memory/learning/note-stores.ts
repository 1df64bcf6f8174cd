import type { Caller } from '../../catalogue/operation.ts'
import type { Experience } from '../../engine/learning/lessons.ts'
import { geometricSurprise } from '../../engine/surprise.ts'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'

type Noting = Pick<MemoryContext, 'compute' | 'learning' | 'spaces' | 'clock'>

/** Of a batch so many patterns are looked at, evenly spread: they stand for the rest. */
const observedAtOnce = 8
/** Later patterns of the same batch may be nearer than what was there before; so many are looked past. */
const looked = 16

/** Notes how new patterns are that were just stored, compared with those stored before each; after the answer. */
export function noteStores(
  { compute, learning, spaces, clock }: Noting,
  { organizationId, spaceId }: Pick<Caller, 'organizationId' | 'spaceId'>,
  stored: readonly { idx: number; key: Float32Array }[],
): void {
  const index = spaces.peek(spaceId)
  if (index === undefined) return
  const at = clock.now().getTime()
  const step = Math.max(1, stored.length / observedAtOnce)
  for (let i = 0; Math.floor(i) < stored.length; i += step) {
    const pattern = stored[Math.floor(i)] as { idx: number; key: Float32Array }
    learning.noteWhenKnown(spaceId, observe({ compute }, organizationId, index, pattern, at))
  }
}

async function observe(
  { compute }: Pick<MemoryContext, 'compute'>,
  organizationId: string,
  index: SpaceIndex,
  { idx, key }: { idx: number; key: Float32Array },
  at: number,
): Promise<Experience | undefined> {
  const shard = index.shard(key.length)
  if (shard === undefined) return undefined
  const search = { k: looked, minScore: -1, textOnly: false }
  const { labels, scores } = await compute.search({ organizationId }, shard, key, search)
  const before = labels.findIndex((label) => label < idx)
  // With nothing before it among so many, the first of a batch in an empty space is new, and others are not judged.
  if (before === -1 && labels.length === looked) return undefined
  return { kind: 'store', at, surprise: geometricSurprise(before === -1 ? undefined : scores[before]) }
}
