import type { Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** What a receipt says of patterns that are about to be removed. */
export interface BegunErasure {
  patterns: number
  /** Rows that were removed, and the patterns that follow. */
  counts: Record<string, number>
  idsSha256: string
}

/**
 * Removes what hangs on patterns, and archives that may hold them, and counts it. The patterns themselves are to follow in the same transaction.
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
  const which = indexes ?? null
  // The other patterns whose versions were emptied may be older than these.
  const since =
    indexes === undefined || versions > 0
      ? sql`'-infinity'::timestamptz`
      : sql`coalesce((select min(p.created_at) from app.named_patterns(${spaceId}, ${which}::int[]) p), '-infinity')`
  const { rows } = await sql<{ patterns: number; counts: Record<string, number>; ids_sha256: string }>`
    select n.patterns, n.ids_sha256, app.erase_beside(${spaceId}, ${which}::int[])
        || jsonb_build_object('exports',
          case when n.patterns + ${versions}::int > 0 then app.revoke_exports_of(null, ${since}) else 0 end) as counts
      from app.named_by_hash(${spaceId}, ${which}::int[]) n`.execute(trx)
  const [{ patterns, counts, ids_sha256 }] = rows as [(typeof rows)[number]]
  return {
    patterns,
    counts: { patterns, ...counts, versions: (counts.versions ?? 0) + versions },
    idsSha256: ids_sha256,
  }
}

/**
 * Removes archives that owners of the organization have had made of what it holds, where something is erased of which no
 * receipt is made. @param trx of the organization
 * @param since when what is erased was stored: archives of before can't hold it; undefined where that is not known
 */
export async function revokeExports(trx: Trx, since?: Date): Promise<void> {
  await sql`select app.revoke_exports_of(null, ${since?.toISOString() ?? '-infinity'}::timestamptz)`.execute(
    trx,
  )
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
