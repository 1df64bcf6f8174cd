import { moveAssociations, moveTransitions } from '@memory/engine/sleep/duplicates'
import type { MemoryContext } from '../context.ts'
import { saveUpdate } from '../learning/learning-store.ts'
import type { Lease } from '../schedule/lease.ts'
import { removePatterns } from '../store.ts'
import { findDuplicates, listDuplicates, listLinks, moveAccesses, setEvents } from './sleep-store.ts'

/**
 * Merges duplicates among `count` patterns from `firstIdx` on into the oldest copy, see `listDuplicates`: adds their accesses and
 * links to those of the copy, and removes them. In one transaction. @returns how many were merged
 */
export async function mergeDuplicates(
  {
    queries,
    learning,
    spaces,
    versionsKept,
  }: Pick<MemoryContext, 'queries' | 'learning' | 'spaces' | 'versionsKept'>,
  spaceId: string,
  { renew }: Lease,
  firstIdx: number,
  count: number,
): Promise<number> {
  if ((await findDuplicates(queries, spaceId, firstIdx, count)).length === 0) return 0
  const removed = await learning.revise(spaceId, async (trx, engineVersion, now) => {
    await renew(trx)
    const duplicates = await listDuplicates(trx, spaceId, firstIdx, count)
    const indexes = duplicates.map(({ idx }) => idx)
    const keptOf = new Map(duplicates.map(({ idx, kept }) => [idx, kept]))
    const links = await listLinks(trx, spaceId, indexes)
    const told = await setEvents(trx, spaceId, duplicates, versionsKept)
    await moveAccesses(trx, spaceId, engineVersion, now, duplicates)
    await saveUpdate(trx, spaceId, engineVersion, now, {
      associations: moveAssociations(links.associations, keptOf, now.getTime()),
      transitions: moveTransitions(links.transitions, keptOf, now.getTime()),
      strengths: [],
      traces: new Map(),
    })
    const removed = await removePatterns(trx, spaceId, { indexes, textOnly: false, dryRun: false })
    return { ...removed, told }
  })
  if (removed.version === undefined) return 0
  const gone = removed.patterns.map(({ idx }) => idx)
  spaces.committed(spaceId, removed.version, { removed: gone, touched: removed.told })
  return gone.length
}
