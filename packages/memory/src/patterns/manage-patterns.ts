import { ApiError } from '@memory/shared/catalogue/errors'
import type { Caller, Output } from '@memory/shared/catalogue/operation'
import { asTenant } from '@memory/shared/platform/database/database'
import { ReceiptIssuer } from '@memory/shared/receipts/receipt'
import type { MemoryContext } from '../context.ts'
import { forgetSearches } from '../learning/learning-store.ts'
import { beginErasure, revokeExports } from '../receipts/erasure-store.ts'
import type { DeletePattern, EmptySpace, Pattern } from '../schema.ts'
import * as store from '../store.ts'
import { recordForgotten } from '../texts/record-forgotten.ts'
import { requireMatch } from './address.ts'
import { requirePattern, requirePatternIn } from './pattern-store.ts'
import { toPattern } from './show-pattern.ts'

type Reading = Pick<MemoryContext, 'queries'>
type Removing = Pick<MemoryContext, 'queries' | 'spaces'>

/** The get operation. @param id the pattern's id, or `ext:` and its own name @throws ApiError pattern_not_found */
export async function getPattern({ queries }: Reading, caller: Caller, id: string): Promise<Pattern> {
  return toPattern(await requirePattern(queries, caller.spaceId, id))
}

/** The delete operation. @throws ApiError pattern_not_found, version_mismatch */
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
    await revokeExports(trx, row.created_at)
    await recordForgotten(trx, caller, ['id'], removed.patterns.length)
    return removed
  })
  if (version === undefined) throw new ApiError('pattern_not_found')
  spaces.committed(spaceId, version, { removed: patterns.map(({ idx }) => idx) })
  return { message: 'Pattern deleted' }
}

/** Removes everything in the space. */
export async function emptySpace(
  { queries, spaces, clock, receipts }: Removing & Pick<MemoryContext, 'clock' | 'receipts'>,
  caller: Caller,
): Promise<Output<typeof EmptySpace>> {
  const requestedAt = clock.now()
  const issuer = await ReceiptIssuer.open(receipts, clock)
  const { deleted, receipt } = await asTenant(queries, caller, async (trx) => {
    await store.lockSpace(trx, caller.spaceId)
    const begun = await beginErasure(trx, caller.spaceId, undefined)
    const emptied = await store.emptySpace(trx, caller.spaceId)
    await forgetSearches(trx, caller.spaceId, requestedAt)
    await recordForgotten(trx, caller, ['all'], emptied.deleted)
    if (emptied.deleted === 0) return { ...emptied, receipt: undefined }
    const erasure = { ...caller, ...begun, selector: { confirm: 'all' }, requestedAt }
    return { ...emptied, receipt: await issuer.issue(trx, erasure) }
  })
  spaces.drop(caller.spaceId)
  return { message: `${deleted} ${deleted === 1 ? 'pattern' : 'patterns'} deleted`, receipt }
}
