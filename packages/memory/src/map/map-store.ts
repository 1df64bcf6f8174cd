import type { Tier } from '@memory/engine/tiers'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** What a map shows of a pattern. */
export interface MappedRow {
  idx: number
  id: string
  tier: Tier
  created_at: Date
}

/** Rows of patterns that are there, in store order. */
export async function findMapped(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
): Promise<MappedRow[]> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<MappedRow>`
      select idx, id, tier, created_at from app.named_patterns(${spaceId}, ${indexes}::int[])
        where expires_at is null or expires_at > now()
        order by idx`.execute(trx)
    return rows
  })
}

/** The beginnings of texts, by idx. */
export async function findBeginnings(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
  chars: number,
): Promise<Map<number, string>> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<{ idx: number; text: string }>`
      select idx, left(text, ${chars}) as text from app.named_patterns(${spaceId}, ${indexes}::int[])
        where text is not null and (expires_at is null or expires_at > now())`.execute(trx)
    return new Map(rows.map(({ idx, text }) => [idx, text]))
  })
}
