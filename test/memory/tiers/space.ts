import type { Tier } from '@memory/engine/tiers'
import * as store from '@memory/memory/store'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { newOrganization } from '../../platform/open-database.ts'
import { newPattern } from '../../support/pattern.ts'

export const day = 86_400_000

/** How a pattern stands in the database. */
export interface Row {
  tier: Tier
  /** Null, with its time, for a pattern that was in no answer yet. */
  score: number | null
  scored_at: Date | null
  created_at: Date
  version: number
}

/** Stores patterns in a space of a new organization. @returns the space's id. */
export async function newSpace(queries: Queries, patterns: Partial<store.NewPattern>[]): Promise<string> {
  const { spaceId } = await newOrganization(queries)
  await store.insertPatterns(
    queries,
    spaceId,
    -1,
    'test',
    patterns.map((pattern) => newPattern(pattern)),
  )
  return spaceId
}

/** The patterns of a space in store order. */
export async function readRows(queries: Queries, spaceId: string): Promise<Row[]> {
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<Row>`select p.tier, p.created_at, p.version, a.access_score as score, a.scored_at from app.patterns p
      left join app.pattern_accesses a using (space_id, idx) order by p.idx`.execute(trx),
  )
  return rows
}

export async function readTiers(queries: Queries, spaceId: string): Promise<Tier[]> {
  return (await readRows(queries, spaceId)).map(({ tier }) => tier)
}

/** Puts patterns into tiers, in store order, as if they had come there by themselves. */
export async function setTiers(queries: Queries, spaceId: string, tiers: Tier[]): Promise<void> {
  await asTenant(queries, { spaceId }, (trx) =>
    sql`update app.patterns p set tier = t.tier
      from unnest(${tiers}::text[]) with ordinality as t (tier, n) where p.idx = t.n - 1`.execute(trx),
  )
}
