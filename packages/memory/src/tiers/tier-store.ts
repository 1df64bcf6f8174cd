import type { AccessScore, Tier } from '@memory/engine/tiers'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** What decides a pattern's tier. */
export interface TierState {
  idx: number
  tier: Tier
  protected: boolean
  score: AccessScore
}

/** The patterns that may move down, of the `count` from `firstIdx` on. */
export async function listTierStates(
  queries: Queries,
  spaceId: string,
  firstIdx: number,
  count: number,
): Promise<TierState[]> {
  const { rows } = await sql<TierRow>`
    select * from app.tier_states(${spaceId}, ${firstIdx}, ${count})`.execute(queries)
  return rows.map(toState)
}

/** The idx that the next pattern of a space will get; all stored ones have lower ones. */
export function getNextIdx(queries: Queries, spaceId: string): Promise<number> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const spaces = trx.withSchema('app').selectFrom('spaces').where('id', '=', spaceId)
    return (await spaces.select('next_idx').executeTakeFirstOrThrow()).next_idx
  })
}

/** A pattern's state as functions of the database return it. */
export interface TierRow {
  idx: number
  tier: Tier
  protected: boolean
  access_score: number
  scored_at: Date
}

export function toState({ idx, tier, protected: isProtected, access_score, scored_at }: TierRow): TierState {
  return { idx, tier, protected: isProtected, score: { value: access_score, at: scored_at } }
}

/** A pattern's way from one tier to another. */
export interface TierMove {
  idx: number
  from: Tier
  to: Tier
}

/** Moves patterns between tiers. Those moved, deleted or protected by others meanwhile stay. @returns how many moved */
export async function moveTiers(
  queries: Queries,
  spaceId: string,
  moves: readonly TierMove[],
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    select app.migrate_tiers(
      ${spaceId}, ${moves.map(({ idx }) => idx)}::int[], ${moves.map(({ from }) => from)}::text[],
      ${moves.map(({ to }) => to)}::text[]) as moved`.execute(queries)
  return rows[0]?.moved ?? 0
}

/** What tiered answers show of a pattern. */
export interface TieredRow {
  idx: number
  text: string | null
  tier: Tier
  /** Null for a pattern that was in no answer yet. */
  last_accessed: Date | null
}

/** Patterns by idx. Left out: deleted or expired ones and, if `tier` is given, those that are in another tier by now. */
export async function findTiered(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
  tier: Tier | null,
): Promise<Map<number, TieredRow>> {
  const { rows } = await sql<TieredRow>`
    select * from app.find_tiered(${spaceId}, ${indexes}::int[], ${tier}::text)`.execute(queries)
  return new Map(rows.map((row) => [row.idx, row]))
}

/** How many patterns of a space are in each tier. */
export async function getDistribution(queries: Queries, spaceId: string): Promise<Record<Tier, number>> {
  const { rows } = await sql<Record<Tier, number>>`
    select * from app.tier_distribution(${spaceId})`.execute(queries)
  const [row] = rows
  if (row === undefined) throw new Error('The space is not there.')
  return row
}

/** How many patterns of answers came from each tier, and how many patterns moved. */
export interface TierCounters {
  hot_hits: number
  warm_hits: number
  cold_hits: number
  promotions: number
  demotions: number
}

/** Reads a space's counters. @returns undefined before the first answer and the first move */
export async function findCounters(queries: Queries, spaceId: string): Promise<TierCounters | undefined> {
  const { rows } = await sql<TierCounters>`select * from app.tier_statistics(${spaceId})`.execute(queries)
  return rows[0]
}
