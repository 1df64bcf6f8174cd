import type { ExpressionBuilder } from 'kysely'
import { asTenant, type Queries, type Trx } from '../platform/database/database.ts'
import type { Tables } from '../platform/database/tables.ts'
import type { Metadata } from './store.ts'

/** A pattern as lists show it. */
export interface PatternRow {
  idx: number
  id: string
  text: string | null
  metadata: Metadata | null
  tier: 'hot' | 'warm' | 'cold'
  protected: boolean
  access_count: number
  last_accessed: Date | null
  occurred_at: Date
  expires_at: Date | null
  created_at: Date
}

const columns = [
  'idx',
  'id',
  'text',
  'metadata',
  'tier',
  'protected',
  'access_count',
  'last_accessed',
  'occurred_at',
  'expires_at',
  'created_at',
] as const

/** Up to `count` patterns after an idx, in store order. */
export function listPatterns(
  queries: Queries,
  spaceId: string,
  afterIdx: number,
  count: number,
): Promise<PatternRow[]> {
  return asTenant(queries, { spaceId }, (trx) =>
    unexpired(trx, spaceId).where('idx', '>', afterIdx).orderBy('idx').limit(count).execute(),
  )
}

export function findPattern(queries: Queries, spaceId: string, id: string): Promise<PatternRow | undefined> {
  return asTenant(queries, { spaceId }, (trx) =>
    unexpired(trx, spaceId).where('id', '=', id).executeTakeFirst(),
  )
}

function unexpired(trx: Trx, spaceId: string) {
  return trx
    .withSchema('app')
    .selectFrom('patterns')
    .select(columns)
    .where('space_id', '=', spaceId)
    .where((eb: ExpressionBuilder<Tables, 'patterns'>) =>
      eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', eb.fn<Date>('now'))]),
    )
}
