import type { Trx } from '@memory/shared/platform/database/database'
import { idsHash } from '@memory/shared/receipts/receipt'
import { sql } from 'kysely'
import { slicesOf } from '../slices.ts'
import { listIndexes } from '../store.ts'

/** What a receipt says of patterns that are about to be removed. */
export interface BegunErasure {
  patterns: number
  /** Rows that were removed, and the patterns that follow. */
  counts: Record<string, number>
  idsSha256: string
}

/**
 * Removes what hangs on patterns, revokes archives that may hold them, and counts it. The patterns themselves are to follow in the same transaction.
 * @param trx of the organization and the space, which it has locked
 * @param indexes of the patterns; undefined: of all of the space
 * @param versions of other patterns, which were emptied
 */
export async function beginErasure(
  trx: Trx,
  spaceId: string,
  indexes: readonly number[] | undefined,
  versions = 0,
): Promise<BegunErasure> {
  const begun: Beside[] = []
  for (const some of slicesOf(indexes ?? (await listIndexes(trx, spaceId)))) {
    begun.push(await eraseBeside(trx, spaceId, some))
  }
  // What is of no pattern in particular.
  if (indexes === undefined) begun.push(await eraseBeside(trx, spaceId, null))
  const ids = begun.flatMap((each) => each.ids)
  const counts: Record<string, number> = { patterns: ids.length, versions }
  for (const each of begun) {
    for (const [kind, rows] of Object.entries(each.counts)) counts[kind] = (counts[kind] ?? 0) + rows
  }
  // The other patterns whose versions were emptied may be older than these.
  const isAnyAge = indexes === undefined || versions > 0
  const ages = begun.flatMap(({ since }) => (since === null ? [] : [since.getTime()]))
  const since = isAnyAge || ages.length === 0 ? undefined : new Date(Math.min(...ages))
  const exports = ids.length + versions > 0 ? await revokeExports(trx, since) : 0
  return { patterns: ids.length, counts: { ...counts, exports }, idsSha256: idsHash(ids) }
}

/** Removes what hangs on patterns. @param indexes null: what does on any of the space, whichever they are */
async function eraseBeside(trx: Trx, spaceId: string, indexes: readonly number[] | null): Promise<Beside> {
  const { rows } = await sql<Beside>`
    select coalesce(array_agg(p.id), '{}') as ids, min(p.created_at) as since,
        app.erase_beside(${spaceId}, ${indexes}::int[]) as counts
      from app.named_patterns(${spaceId}, ${indexes}::int[]) p`.execute(trx)
  return rows[0] as Beside
}

interface Beside {
  ids: string[]
  /** When the oldest of the patterns was stored; null where there is none. */
  since: Date | null
  /** Rows that were removed, by their kind. */
  counts: Record<string, number>
}

/**
 * Revokes archives that owners of the organization have had made of what it holds, where something is erased of which no
 * receipt is made. @param trx of the organization
 * @param since when what is erased was stored: archives of before can't hold it; undefined where that is not known
 * @returns how many
 */
export async function revokeExports(trx: Trx, since?: Date): Promise<number> {
  const { rows } = await sql<{ revoked: number }>`
    select app.revoke_exports_of(null, ${since?.toISOString() ?? '-infinity'}::timestamptz) as revoked`.execute(
    trx,
  )
  return rows[0]?.revoked ?? 0
}

/** How many of these patterns there are in the space of the transaction, also expired ones that are not erased yet. */
export async function countPatterns(trx: Trx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from unnest(${ids}::text[]) as i (id)
      where exists (select from app.patterns p where p.space_id = app.current_space() and p.id = i.id)`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}
