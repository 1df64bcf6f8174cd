import { ValidationError } from '@memory/shared/catalogue/errors'
import { saysNothing } from '@memory/shared/catalogue/filter'
import { JsonText } from '@memory/shared/catalogue/json-text'
import { limits } from '@memory/shared/catalogue/limits'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { requireScope } from '@memory/shared/catalogue/require-scope'
import { beginLongAnswer } from '@memory/shared/platform/asker'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import { ReceiptIssuer } from '@memory/shared/receipts/receipt'
import type { MemoryContext } from '../context.ts'
import { findMatchingAt, matchingNow } from '../filter/find-matching.ts'
import { requireSelective } from '../filter/require-selective.ts'
import { forgetSearches } from '../learning/learning-store.ts'
import { beginErasure } from '../receipts/erasure-store.ts'
import { selectorOf } from '../receipts/selector.ts'
import type { DeletePatterns, GetPatterns } from '../schema.ts'
import * as store from '../store.ts'
import { ofSubjects, seenBy } from '../subjects/narrow.ts'
import { givenOf, recordForgotten } from '../texts/record-forgotten.ts'
import { findIndexes, findPatterns } from './pattern-store.ts'
import { patternsJson } from './show-pattern.ts'

/** Patterns by id, then by their callers' names, then by idx, in the order asked; null where there is none. */
export async function getPatterns(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Caller,
  body: Input<typeof GetPatterns>['body'],
): Promise<JsonText<Output<typeof GetPatterns>>> {
  const { pattern_ids: ids = [], external_ids: externalIds = [], pattern_indexes: indexes = [] } = body
  const count = ids.length + externalIds.length + indexes.length
  requireCount(count, limits.getByIds, ['pattern_ids', 'external_ids', 'pattern_indexes'])
  await beginLongAnswer(count)
  const rows = await findPatterns(queries, spaceId, { ids, externalIds, indexes })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byName = new Map(rows.map((row) => [row.external_id, row]))
  const byIdx = new Map(rows.map((row) => [row.idx, row]))
  const found = [
    ...ids.map((id) => byId.get(id)),
    ...externalIds.map((name) => byName.get(name)),
    ...indexes.map((idx) => byIdx.get(idx)),
  ]
  return new JsonText('{', ...patternsJson(found), '}')
}

type DeleteBody = Input<typeof DeletePatterns>['body']

/**
 * Deletes those of the patterns that are there: by their ids, or by a filter, an end user or both.
 * @param sent the body as it was sent @throws ValidationError for both or neither, ApiError insufficient_scope for a
 * dry run, which reads, to a caller who may not
 */
export async function deletePatterns(
  context: MemoryContext,
  caller: Caller,
  body: DeleteBody,
  sent: unknown,
): Promise<Output<typeof DeletePatterns>> {
  const { spaceId } = caller
  const { dry_run: dryRun } = body
  if (dryRun) requireScope(caller, 'memory:read')
  const requestedAt = context.clock.now()
  const select = await selectionOf(context, caller, body)
  const issuer = dryRun ? undefined : await ReceiptIssuer.open(context.receipts, context.clock)
  const { patterns, version, receipt } = await asTenant(context.queries, caller, async (trx) => {
    if (!dryRun) await store.lockSpace(trx, spaceId)
    const indexes = await select(trx)
    const begun = issuer && indexes.length > 0 ? await beginErasure(trx, spaceId, indexes) : undefined
    const removed = await store.removePatterns(trx, spaceId, { indexes, textOnly: false, dryRun })
    if (issuer === undefined || begun === undefined) return { ...removed, receipt: undefined }
    if (body.filter != null || body.subject != null) await forgetSearches(trx, spaceId, requestedAt)
    await recordForgotten(trx, caller, namedBy(body), removed.patterns.length)
    const selector = selectorOf(sent as object)
    const erasure = { ...caller, ...begun, selector, requestedAt }
    return { ...removed, receipt: await issuer.issue(trx, erasure) }
  })
  if (version !== undefined) {
    context.spaces.committed(spaceId, version, { removed: patterns.map(({ idx }) => idx) })
  }
  return { deleted: patterns.length, pattern_ids: patterns.map(({ id }) => id), receipt }
}

const namedBy = ({ pattern_ids, external_ids, filter, subject }: DeleteBody) =>
  givenOf([
    ['id', pattern_ids],
    ['external_id', external_ids],
    ['filter', filter],
    ['subject', subject],
  ])

/** Finds those that are there. @param trx of the space, which it has locked unless it changes nothing */
type Select = (trx: Trx) => Promise<number[]>

async function selectionOf(
  context: MemoryContext,
  caller: Caller,
  { pattern_ids: ids, external_ids: externalIds, filter: sent, subject }: DeleteBody,
): Promise<Select> {
  const { spaceId } = caller
  // An empty list names nothing; it does not mean all that stands beside it.
  const isNamed = ids !== undefined || externalIds !== undefined
  const isEmpty = sent !== undefined && saysNothing(sent)
  const wanted = ofSubjects(isEmpty ? undefined : sent, subject)
  if ((wanted === undefined && !isEmpty) || isNamed) {
    if (wanted !== undefined || isEmpty)
      throw ValidationError.rule(['body'], 'give ids, or a filter or subject, not both')
    const named = { ids: ids ?? [], externalIds: externalIds ?? [] }
    requireCount(named.ids.length + named.externalIds.length, limits.deleteByIds, [
      'pattern_ids',
      'external_ids',
    ])
    return (trx) => findIndexes(trx, spaceId, named)
  }
  if (sent !== undefined) requireSelective(sent)
  if (wanted === undefined) throw new Error('A selection is of ids, a filter or a subject.')
  const filter =
    caller.subject === undefined ? wanted : seenBy(wanted, { ...caller.subject, isShared: false })
  const matching = await findMatchingAt(context, caller, filter, { all: true, expired: true })
  return async (trx) => [...(await matchingNow(trx, spaceId, filter, matching)).from(0)]
}

function requireCount(count: number, most: number, of: readonly string[]): void {
  if (count >= 1 && count <= most) return
  const names = new Intl.ListFormat('en').format(of)
  throw ValidationError.rule(['body'], `${names} must be 1 to ${most} together`)
}
