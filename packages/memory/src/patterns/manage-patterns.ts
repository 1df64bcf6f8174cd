import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { asTenant } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { forgetSearches } from '../learning/learning-store.ts'
import type { DeletePattern, EmptySpace, ListPatterns, Pattern } from '../schema.ts'
import * as store from '../store.ts'
import { recordForgotten } from '../texts/record-forgotten.ts'
import { requireMatch } from './address.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { listPatterns, requirePattern, requirePatternIn } from './pattern-store.ts'
import { toPattern } from './show-pattern.ts'

type Reading = Pick<MemoryContext, 'queries'>
type Removing = Pick<MemoryContext, 'queries' | 'spaces'>

/** A page of patterns in store order. @throws ValidationError for a cursor that no page gave. */
export async function listPatternPage(
  { queries }: Reading,
  caller: Caller,
  { cursor, limit, include_superseded: all }: Input<typeof ListPatterns>['query'],
): Promise<Output<typeof ListPatterns>> {
  const after = cursor === undefined ? -1 : decodeCursor(cursor)
  if (after === undefined) {
    throw ValidationError.rule(['query', 'cursor'], 'cursor is not one that this endpoint gave', cursor)
  }
  const rows = await listPatterns(queries, caller.spaceId, { after, count: limit + 1, all })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    patterns: page.map(toPattern),
    next_cursor: rows.length > limit && last !== undefined ? encodeCursor(last.idx) : null,
  }
}

/** @param id or `ext:` and its caller's name @throws ApiError pattern_not_found */
export async function getPattern({ queries }: Reading, caller: Caller, id: string): Promise<Pattern> {
  return toPattern(await requirePattern(queries, caller.spaceId, id))
}

/** @throws ApiError pattern_not_found, version_mismatch */
export async function deletePattern(
  { queries, spaces }: Removing,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
): Promise<Output<typeof DeletePattern>> {
  const { spaceId } = caller
  const { version, patterns } = await asTenant(queries, caller, async (trx) => {
    await store.lockSpace(trx, spaceId)
    const row = await requirePatternIn(trx, spaceId, id)
    requireMatch(ifMatch, row)
    const removal = { indexes: [row.idx], textOnly: false, dryRun: false }
    const removed = await store.removePatterns(trx, spaceId, removal)
    await recordForgotten(trx, caller, removed.patterns.length)
    return removed
  })
  if (version === undefined) throw new ApiError('pattern_not_found')
  spaces.committed(spaceId, version, { removed: patterns.map(({ idx }) => idx) })
  return { message: 'Pattern deleted' }
}

/** Removes everything the space holds. */
export async function emptySpace(
  { queries, spaces }: Removing,
  caller: Caller,
): Promise<Output<typeof EmptySpace>> {
  const { deleted } = await asTenant(queries, caller, async (trx) => {
    const emptied = await store.emptySpace(trx, caller.spaceId)
    await forgetSearches(trx, caller.spaceId)
    await recordForgotten(trx, caller, emptied.deleted)
    return emptied
  })
  spaces.drop(caller.spaceId)
  return { message: `${deleted} ${deleted === 1 ? 'pattern' : 'patterns'} deleted` }
}
