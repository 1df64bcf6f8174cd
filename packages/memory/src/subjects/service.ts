import { ApiError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { nameCursors, pageOf, startOf } from '@memory/shared/catalogue/pages'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { ReceiptIssuer } from '@memory/shared/receipts/receipt'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import { forgetSearches } from '../learning/learning-store.ts'
import { actorOf } from '../learning/record-use.ts'
import { type ExportedPatterns, exportSpace } from '../patterns/export-patterns.ts'
import type { RecordAnswer } from '../patterns/store-patterns.ts'
import { beginErasure, revokeExports } from '../receipts/erasure-store.ts'
import * as patterns from '../store.ts'
import { sumCounts } from '../sum-counts.ts'
import { recordForgotten } from '../texts/record-forgotten.ts'
import { getNextIdx } from '../tiers/tier-store.ts'
import type { EraseSubject, ExportSubject, GetSubject, ListSubjects } from './schema.ts'
import * as store from './subject-store.ts'

type Reading = Pick<MemoryContext, 'queries'>

const cursors = nameCursors('after', limits.subjectChars)

/** A page of the end users who have patterns. @throws ValidationError for a cursor that no page gave */
export async function listSubjects(
  { queries }: Reading,
  { spaceId }: Caller,
  { cursor, limit, prefix }: Input<typeof ListSubjects>['query'],
): Promise<Output<typeof ListSubjects>> {
  const after = startOf(cursor, cursors.decode)
  const rows = await store.listSubjects(queries, spaceId, { after, prefix, count: limit + 1 })
  const { page, next_cursor } = pageOf(rows, limit, ({ subject }) => cursors.encode(subject))
  return { subjects: page.map(toSubject), next_cursor }
}

/** What is stored of one end user, in figures. @throws ApiError subject_not_found if nothing is */
export async function getSubject(
  { queries }: Reading,
  { spaceId }: Caller,
  subject: string,
): Promise<Output<typeof GetSubject>> {
  const row = await store.summarizeSubject(queries, spaceId, subject)
  if (row === undefined) throw new ApiError('subject_not_found')
  return { ...toSubject(row), texts: row.texts, queries_this_month: row.queries_this_month }
}

const toSubject = (row: store.SubjectRow) => ({
  subject: row.subject,
  patterns: row.patterns,
  bytes: row.bytes,
  first_stored_at: row.first_stored.toISOString(),
  last_stored_at: row.last_stored.toISOString(),
})

/**
 * Exports the patterns of an end user, one JSON line each, only those that match the filter if one is given.
 * @throws ApiError subject_not_found if there is none
 */
export async function exportSubject(
  context: MemoryContext,
  caller: Caller,
  subject: string,
  { filter }: Input<typeof ExportSubject>['query'],
): Promise<AsyncGenerator<Buffer>> {
  const { queries } = context
  const { spaceId } = caller
  const row = await store.summarizeSubject(queries, spaceId, subject)
  if (row === undefined) throw new ApiError('subject_not_found')
  const among = filter && (await findMatching(context, caller, filter, { all: true }))
  return linesOf(queries, spaceId, { subject, among })
}

async function* linesOf(queries: Queries, spaceId: string, which: ExportedPatterns): AsyncGenerator<Buffer> {
  const nextIdx = await getNextIdx(queries, spaceId)
  for await (const line of exportSpace(queries, { id: spaceId, nextIdx }, which)) yield Buffer.from(line)
}

/**
 * Erases everything of an end user in one transaction: patterns, learned data, and whatever else refers to them.
 * @throws ApiError subject_not_found if there is nothing
 */
export async function eraseSubject(
  context: MemoryContext,
  caller: Caller,
  subject: string,
  record?: RecordAnswer<Output<typeof EraseSubject>>,
): Promise<Output<typeof EraseSubject>> {
  const { queries, clock, receipts, learning, spaces } = context
  const { spaceId } = caller
  const requestedAt = clock.now()
  // Writes pending observations first: of searches that began before the erasure and are written after it no trace is kept.
  await learning.read(spaceId)
  const issuer = await ReceiptIssuer.open(receipts, clock)
  const { removed, answer } = await asTenant(queries, caller, async (trx) => {
    await patterns.lockSpace(trx, spaceId)
    const indexes = await patterns.listIndexes(trx, spaceId, { subject })
    const begun = await beginErasure(trx, spaceId, indexes)
    const beside = await store.eraseBesideSubject(trx, spaceId, subject, actorOf(spaceId, subject))
    // Of patterns that are another's by now: archives of any age may hold them.
    const { versions = 0 } = beside
    const exports = versions > 0 ? await revokeExports(trx) : 0
    if (begun.patterns === 0 && Object.values(beside).every((rows) => rows === 0)) {
      throw new ApiError('subject_not_found')
    }
    const removed = await patterns.removePatterns(trx, spaceId, { indexes, textOnly: false, dryRun: false })
    await forgetSearches(trx, spaceId, requestedAt)
    await recordForgotten(trx, caller, ['subject'], begun.patterns, versions)
    const counts = sumCounts(begun.counts, { ...beside, exports })
    const receipt = await issuer.issue(trx, {
      ...caller,
      ...begun,
      counts,
      selector: { subject },
      requestedAt,
    })
    const answer = { subject, erased: begun.patterns, receipt }
    await record?.(trx, answer)
    return { removed, answer }
  })
  if (removed.version !== undefined) {
    spaces.committed(spaceId, removed.version, { removed: removed.patterns.map(({ idx }) => idx) })
  }
  return answer
}
