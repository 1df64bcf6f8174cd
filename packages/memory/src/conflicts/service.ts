import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { pageOf, startOf } from '@memory/shared/catalogue/pages'
import { asTenant, type Trx } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { versioningOf } from '../patterns/address.ts'
import { findPatternsIn, type PatternRow } from '../patterns/pattern-store.ts'
import { isoOrNull } from '../patterns/show-pattern.ts'
import { lockSpace } from '../store.ts'
import { cursors, isConflictId } from './conflict-id.ts'
import * as store from './conflict-store.ts'
import { type ListConflicts, type ResolveConflict, resolutions } from './schema.ts'

type Conflict = Output<typeof ResolveConflict>

/** A page of conflicts, newest first. @throws ValidationError for a cursor that no page gave */
export async function listConflicts(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Caller,
  { cursor, limit, status, kind, subject }: Input<typeof ListConflicts>['query'],
): Promise<Output<typeof ListConflicts>> {
  const before = startOf(cursor, cursors.decode)
  const list = async (trx: Trx) => {
    const rows = await store.listConflicts(trx, spaceId, { before, count: limit + 1, status, kind, subject })
    const { page, next_cursor } = pageOf(rows, limit, ({ id }) => cursors.encode(id))
    const conflicts = await withTexts(trx, spaceId, page)
    return { conflicts: conflicts.map(toConflict), next_cursor }
  }
  return asTenant(queries, { spaceId }, list, { inOrder: true })
}

/** A conflict with its patterns, the older one first. */
interface WithTexts extends store.ConflictRow {
  patterns: [older: PatternRow, newer: PatternRow]
}

async function withTexts(
  trx: Trx,
  spaceId: string,
  rows: readonly store.ConflictRow[],
): Promise<WithTexts[]> {
  if (rows.length === 0) return []
  const indexes = [...new Set(rows.flatMap(({ a, b }) => [a, b]))]
  const found = new Map((await findPatternsIn(trx, spaceId, indexes)).map((row) => [row.idx, row]))
  return rows.flatMap((row) => {
    const [one, other] = [found.get(row.a), found.get(row.b)]
    // What expires now may have gone between the two.
    if (one === undefined || other === undefined) return []
    const isOlder = one.occurred_at <= other.occurred_at
    return [{ ...row, patterns: isOlder ? [one, other] : [other, one] }]
  })
}

const toConflict = (conflict: WithTexts): Conflict => ({
  conflict_id: conflict.id,
  kind: conflict.kind,
  reason: conflict.reason,
  similarity: conflict.similarity,
  status: conflict.status,
  found_at: conflict.found_at.toISOString(),
  resolved_at: isoOrNull(conflict.resolved_at),
  winner: conflict.patterns.find(({ idx }) => idx === conflict.winner)?.id ?? null,
  patterns: conflict.patterns.map(({ id, external_id, subject, text, occurred_at }) => ({
    pattern_id: id,
    external_id,
    subject,
    text: text as string,
    occurred_at: occurred_at.toISOString(),
  })),
})

/**
 * Keeps what a caller says of a conflict, and has one pattern take the place of the other where they say so.
 * @throws ApiError conflict_not_found, conflict_resolved where something else was said of it, already_superseded;
 *   ValidationError for a winner that is neither
 */
export async function resolveConflict(
  { queries, versionsKept, clock }: Pick<MemoryContext, 'queries' | 'versionsKept' | 'clock'>,
  caller: Caller,
  id: string,
  body: Input<typeof ResolveConflict>['body'],
): Promise<Conflict> {
  const { spaceId } = caller
  const status = resolutions[body.resolution]
  const versioning = versioningOf({ versionsKept }, caller)
  return asTenant(queries, { spaceId }, async (trx) => {
    await lockSpace(trx, spaceId)
    const conflict = await requireConflict(trx, spaceId, id)
    const { winner, loser } = sidesOf(conflict, body)
    const won = status === 'superseded' ? winner.idx : null
    if (conflict.status !== 'open') {
      if (conflict.status !== status || conflict.winner !== won) throw new ApiError('conflict_resolved')
      // What was superseded may have been brought back since, and then is so again.
      if (won === null || loser.superseded_by === winner.id) return toConflict(conflict)
    }
    const resolved = { status, by: versioning.by, at: clock.now(), winner: won }
    await store.saveResolution(trx, spaceId, id, resolved)
    if (won !== null) {
      const successor = loser.superseded_by
      if (successor !== null && (await store.isPattern(trx, spaceId, successor))) {
        throw new ApiError('already_superseded')
      }
      await store.supersede(trx, spaceId, { loser: loser.idx, winner: won }, versioning)
    }
    return toConflict({ ...conflict, ...resolved, resolved_at: resolved.at })
  })
}

/**
 * Takes back what was said of a conflict.
 * @throws ApiError conflict_not_found, also where not both patterns are valid any more; already_superseded where one
 *   still has the place of the other
 */
export async function reopenConflict(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Caller,
  id: string,
): Promise<Conflict> {
  return asTenant(queries, { spaceId }, async (trx) => {
    await lockSpace(trx, spaceId)
    const { winner, patterns } = await requireConflict(trx, spaceId, id)
    const won = patterns.find(({ idx }) => idx === winner)
    const loser = patterns.find(({ idx }) => idx !== winner)
    if (won !== undefined && loser !== undefined) {
      if (loser.superseded_by !== null) throw new ApiError('already_superseded')
      await store.endSuperseding(trx, spaceId, { loser: loser.id, winner: won.id })
    }
    await store.saveResolution(trx, spaceId, id, { status: 'open', by: null, at: null, winner: null })
    return toConflict(await requireConflict(trx, spaceId, id))
  })
}

async function requireConflict(trx: Trx, spaceId: string, id: string): Promise<WithTexts> {
  const row = isConflictId(id) ? await store.findConflict(trx, spaceId, id) : undefined
  const [conflict] = row === undefined ? [] : await withTexts(trx, spaceId, [row])
  if (conflict === undefined) throw new ApiError('conflict_not_found')
  return conflict
}

/** Which of both takes the place of the other, where one does. */
function sidesOf(
  { patterns: [older, newer] }: WithTexts,
  { resolution, winner }: Input<typeof ResolveConflict>['body'],
): { winner: PatternRow; loser: PatternRow } {
  if (winner == null) return { winner: newer, loser: older }
  if (resolution !== 'supersede') {
    throw ValidationError.rule(['body', 'winner'], 'only supersede has a winner', winner)
  }
  const isNamed = ({ id, external_id }: PatternRow) =>
    winner === id || (external_id !== null && winner === `ext:${external_id}`)
  if (isNamed(newer)) return { winner: newer, loser: older }
  if (isNamed(older)) return { winner: older, loser: newer }
  throw ValidationError.rule(['body', 'winner'], 'is neither of the two patterns', winner)
}
