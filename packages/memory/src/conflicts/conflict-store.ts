import type { ContradictionReason } from '@memory/engine/contradiction/contradiction'
import type { ConflictKind } from '@memory/engine/sleep/conflicts'
import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import type { Versioning } from '../store.ts'
import type { conflictStatuses } from './schema.ts'

type Status = (typeof conflictStatuses)[number]

/** A conflict of two patterns, by idx. */
export interface ConflictRow {
  id: string
  a: number
  b: number
  kind: ConflictKind
  reason: ContradictionReason | null
  similarity: number
  status: Status
  found_at: Date
  resolved_at: Date | null
  /** The one of both that took the other's place. */
  winner: number | null
}

/** Which conflicts a page has. */
export interface ConflictPage {
  /** The id that they come before. */
  before: string | undefined
  count: number
  status: Status
  kind: ConflictKind | undefined
  subject: string | undefined
}

/** Conflicts of patterns that are there; while nothing was said of them, of such as are valid too. */
const shown = (spaceId: string) => sql`
  select c.id, c.a, c.b, c.kind, c.reason, c.similarity, c.status, c.found_at, c.resolved_at, c.winner
    from app.conflicts c
    cross join lateral app.named_patterns(c.space_id, array[c.a]) p
    cross join lateral app.named_patterns(c.space_id, array[c.b]) q
    where c.space_id = ${spaceId}
      and (p.expires_at is null or p.expires_at > now()) and (q.expires_at is null or q.expires_at > now())
      and (c.status <> 'open' or (
        app.is_current(p.expires_at, p.valid_to, p.enters_at) and app.is_current(q.expires_at, q.valid_to, q.enters_at)
      ))`

/** A page of conflicts, newest first. @param trx a transaction of the space's tenant, as in all that follows */
export async function listConflicts(
  trx: Trx,
  spaceId: string,
  { before, count, status, kind, subject }: ConflictPage,
): Promise<ConflictRow[]> {
  const { rows } = await sql<ConflictRow>`
    ${shown(spaceId)} and c.status = ${status}
      and (${before ?? null}::text is null or c.id < ${before ?? null})
      and (${kind ?? null}::text is null or c.kind = ${kind ?? null})
      and (${subject ?? null}::text is null or p.subject = ${subject ?? null})
    order by c.id desc limit ${count}`.execute(trx)
  return rows
}

export async function findConflict(trx: Trx, spaceId: string, id: string): Promise<ConflictRow | undefined> {
  const { rows } = await sql<ConflictRow>`${shown(spaceId)} and c.id = ${id}`.execute(trx)
  return rows[0]
}

/** What somebody said of a conflict; that it is open takes back what was said. */
export interface Resolved {
  status: Status
  by: string | null
  at: Date | null
  winner: number | null
}

export async function saveResolution(
  trx: Trx,
  spaceId: string,
  id: string,
  { status, by, at, winner }: Resolved,
): Promise<void> {
  await sql`
    update app.conflicts set status = ${status}, resolved_at = ${at?.toISOString() ?? null}::timestamptz, resolved_by = ${by},
        winner = ${winner}
      where space_id = ${spaceId} and id = ${id}`.execute(trx)
}

/** Whether a pattern that took another one's place, by its id, is there still. */
export async function isPattern(trx: Trx, spaceId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select app.is_pattern(${spaceId}, ${id}) as is_there`.execute(trx)
  return rows[0]?.is_there === true
}

/** Has one pattern of the locked space take the place of another. */
export async function supersede(
  trx: Trx,
  spaceId: string,
  { loser, winner }: { loser: number; winner: number },
  { by, kept }: Versioning,
): Promise<void> {
  await sql`select app.supersede_pattern(${spaceId}, ${loser}, ${winner}, ${kept}, ${by}::text)`.execute(trx)
}

/** Has a pattern of the locked space take another one's place no more. */
export async function endSuperseding(
  trx: Trx,
  spaceId: string,
  { loser, winner }: { loser: string; winner: string },
): Promise<void> {
  await sql`select app.forget_superseded(${spaceId}, ${loser}, ${winner})`.execute(trx)
}
