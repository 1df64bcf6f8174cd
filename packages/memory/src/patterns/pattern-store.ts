import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import type { Metadata } from '../store.ts'
import type { Description } from './category.ts'

/** A pattern as lists show it. */
export interface PatternRow {
  idx: number
  id: string
  text: string | null
  metadata: Metadata | null
  tier: 'hot' | 'warm' | 'cold'
  protected: boolean
  /** Null for a pattern that was in no answer yet. */
  access_count: number | null
  last_accessed: Date | null
  occurred_at: Date
  expires_at: Date | null
  created_at: Date
}

/** Up to `count` patterns after an idx, in store order. */
export function listPatterns(
  queries: Queries,
  spaceId: string,
  afterIdx: number,
  count: number,
): Promise<PatternRow[]> {
  return asTenant(queries, { spaceId }, (trx) =>
    unexpired(trx, spaceId).where('p.idx', '>', afterIdx).orderBy('p.idx').limit(count).execute(),
  )
}

/** Patterns by idx, in the order asked for; those that are gone are left out. */
export async function findPatterns(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
): Promise<PatternRow[]> {
  if (indexes.length === 0) return []
  const rows = await asTenant(queries, { spaceId }, (trx) =>
    unexpired(trx, spaceId).where('p.idx', 'in', indexes).execute(),
  )
  const found = new Map(rows.map((row) => [row.idx, row]))
  return indexes.flatMap((idx) => found.get(idx) ?? [])
}

export function findPattern(queries: Queries, spaceId: string, id: string): Promise<PatternRow | undefined> {
  return asTenant(queries, { spaceId }, (trx) => findPatternIn(trx, spaceId, id))
}

/** @param trx a transaction of the space's tenant */
export function findPatternIn(trx: Trx, spaceId: string, id: string): Promise<PatternRow | undefined> {
  return unexpired(trx, spaceId).where('p.id', '=', id).executeTakeFirst()
}

export interface ImportantRow {
  idx: number
  id: string
  text: string
  category: string
  protected: boolean
}

/** The last `count` texts before an idx with a category other than preference, newest first. */
export async function listImportant(
  queries: Queries,
  spaceId: string,
  before: number,
  count: number,
): Promise<ImportantRow[]> {
  // Written as in the index `patterns_important`, literals included: else it would not be used.
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<ImportantRow>`
      select p.idx, p.id, p.text, p.category, p.protected from app.patterns p
        where p.space_id = ${spaceId} and p.idx < ${before} and p.category is not null and p.category <> 'preference' and p.text is not null
          and (p.expires_at is null or p.expires_at > now())
        order by p.idx desc limit ${count}`.execute(trx),
  )
  return rows
}

/** @param trx a transaction of the space's tenant, which has locked the pattern */
export async function setDescription(
  trx: Trx,
  spaceId: string,
  idx: number,
  { category, protected: isProtected }: Description,
): Promise<void> {
  await trx
    .withSchema('app')
    .updateTable('patterns')
    .set({ category, protected: isProtected })
    .where('space_id', '=', spaceId)
    .where('idx', '=', idx)
    .execute()
}

function unexpired(trx: Trx, spaceId: string) {
  return trx
    .withSchema('app')
    .selectFrom('patterns as p')
    .leftJoin('pattern_accesses as a', (join) =>
      join.onRef('a.space_id', '=', 'p.space_id').onRef('a.idx', '=', 'p.idx'),
    )
    .select([
      'p.idx',
      'p.id',
      'p.text',
      'p.metadata',
      'p.tier',
      'p.protected',
      'a.access_count',
      'a.last_accessed',
    ])
    .select(['p.occurred_at', 'p.expires_at', 'p.created_at'])
    .where('p.space_id', '=', spaceId)
    .where((eb) => eb.or([eb('p.expires_at', 'is', null), eb('p.expires_at', '>', eb.fn<Date>('now'))]))
}
