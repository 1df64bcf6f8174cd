import { parameters } from '@memory/engine/parameters'
import { asTask, asTenant, type Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { type TierRow, type TierState, toState } from './tier-store.ts'

/** How often patterns were in answers, by idx. */
export type Counts = ReadonlyMap<number, number>

/** A row of kept accesses, which are not counted yet. */
export interface KeptRow {
  spaceId: string
  id: number
}

/**
 * Adds accesses, all at the time `at`, to the counters and scores of patterns.
 * @param isDurable whether to wait until this commit, and those before it, are on the disk
 * @returns the state before, of those patterns that exist and are not hot
 */
export async function recordAccesses(
  queries: Queries,
  spaceId: string,
  counts: Counts,
  at: Date,
  isDurable = true,
): Promise<TierState[]> {
  const { rows } = await sql<TierRow>`
    select * from app.record_accesses(
      ${spaceId}, ${[...counts.keys()]}::int[], ${[...counts.values()]}::int[], ${at.toISOString()}::timestamptz,
      ${halfLifeS}, ${isDurable})`.execute(queries)
  return rows.map(toState)
}

/** Stores accesses as a row, to be counted later. @returns the row's id; undefined for a space that is gone */
export async function keepAccesses(
  queries: Queries,
  spaceId: string,
  counts: Counts,
  at: Date,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`
    select app.keep_accesses(${spaceId}, ${at.toISOString()}::timestamptz, ${[...counts.keys()]}::int[],
      ${[...counts.values()]}::int[]) as id`.execute(queries)
  return rows[0]?.id ?? undefined
}

/**
 * Replaces rows of kept accesses by other rows with the same sum, in one transaction.
 * @returns the new ids; undefined, having changed nothing, if one of the rows has been counted already
 */
export async function replaceKept(
  queries: Queries,
  spaceId: string,
  ids: readonly number[],
  parts: readonly Counts[],
  at: Date,
): Promise<number[] | undefined> {
  const counted = new Error('counted already')
  try {
    return await asTenant(queries, { spaceId }, async (trx) => {
      const { rows } = await sql`
        delete from app.uncounted_accesses where space_id = ${spaceId} and id = any (${ids}::bigint[]) returning id`.execute(
        trx,
      )
      if (rows.length < ids.length) throw counted
      return insertKept(trx, spaceId, parts, at)
    })
  } catch (error) {
    if (error === counted) return undefined
    throw error
  }
}

/** Stores a row for each part. @param parts none empty, no pattern in two of them @returns the rows' ids, in their order */
async function insertKept(
  trx: Queries,
  spaceId: string,
  parts: readonly Counts[],
  at: Date,
): Promise<number[]> {
  const all = parts.flatMap((counts, part) => Array.from(counts, ([idx, count]) => ({ idx, count, part })))
  const { rows } = await sql<{ id: number; first: number }>`
    insert into app.uncounted_accesses (space_id, at, idx, counts)
    select ${spaceId}, ${at.toISOString()}::timestamptz, array_agg(idx order by position),
      array_agg(count order by position)
    from unnest(${all.map(({ idx }) => idx)}::int[], ${all.map(({ count }) => count)}::int[],
      ${all.map(({ part }) => part)}::int[]) with ordinality as each(idx, count, part, position)
    group by part
    returning id, idx[1] as first`.execute(trx)
  const idByFirst = new Map(rows.map(({ id, first }) => [first, id]))
  return parts.map((counts) => {
    const [first] = counts.keys()
    return idByFirst.get(first as number) as number
  })
}

/** Counts a row of kept accesses and removes it, so that it is counted once, whoever does it. @returns as `recordAccesses` */
export async function countKept(queries: Queries, { spaceId, id }: KeptRow): Promise<TierState[]> {
  const { rows } = await sql<TierRow>`
    select * from app.count_kept_accesses(${spaceId}, ${id}, ${halfLifeS})`.execute(queries)
  return rows.map(toState)
}

/** Rows of kept accesses of any space from before a time, oldest first. */
export function listKept(queries: Queries, before: Date, count: number): Promise<KeptRow[]> {
  return asTask(queries, 'count-accesses', async (trx) => {
    const rows = await trx
      .withSchema('app')
      .selectFrom('uncounted_accesses')
      .select(['space_id', 'id'])
      .where('at', '<', before)
      .orderBy('at')
      .limit(count)
      .execute()
    return rows.map(({ space_id, id }) => ({ spaceId: space_id, id }))
  })
}

const halfLifeS = parameters.tiers.halfLifeMs / 1_000
