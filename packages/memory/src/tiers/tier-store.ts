import type { AccessScore, Tier } from '@memory/engine/tiers'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'

/** What a pattern's tier is decided by. */
export interface TierState {
  idx: number
  tier: Tier
  protected: boolean
  score: AccessScore
}

/** The patterns that may move down among those with one of `count` indexes. */
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

/** The idx that the next pattern of a space will get: all that are there have lower ones. */
export function getNextIdx(queries: Queries, spaceId: string): Promise<number> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const spaces = trx.withSchema('app').selectFrom('spaces').where('id', '=', spaceId)
    return (await spaces.select('next_idx').executeTakeFirstOrThrow()).next_idx
  })
}

/** A pattern's tier as functions of the database give it. */
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

/** @returns how many moved: those that another has moved, deleted or protected meanwhile stay. */
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

/** Patterns by idx; those deleted, expired or, when `tier` is given, moved to another one are left out. */
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

/** Patterns of a space by the tier they are held in. */
export async function getDistribution(queries: Queries, spaceId: string): Promise<Record<Tier, number>> {
  const { rows } = await sql<Record<Tier, number>>`
    select * from app.tier_distribution(${spaceId})`.execute(queries)
  const [row] = rows
  if (row === undefined) throw new Error('The space is not there.')
  return row
}

/** What a space's answers were made of. */
export interface TierCounters {
  hot_hits: number
  warm_hits: number
  cold_hits: number
  promotions: number
  demotions: number
}

/** @returns undefined before the first answer and the first move. */
export async function findCounters(queries: Queries, spaceId: string): Promise<TierCounters | undefined> {
  const { rows } = await sql<TierCounters>`select * from app.tier_statistics(${spaceId})`.execute(queries)
  return rows[0]
}
