import type { Pattern } from '../schema.ts'
import type { PatternRow } from './pattern-store.ts'

/** A pattern as answers show it. */
export function toPattern(row: PatternRow): Pattern {
  return {
    pattern_id: row.id,
    pattern_idx: row.idx,
    text: row.text,
    metadata: row.metadata ?? (row.text === null ? null : {}),
    tier: row.tier,
    protected: row.protected,
    access_count: row.access_count ?? 0,
    created_at: row.created_at.toISOString(),
    occurred_at: row.occurred_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_accessed: row.last_accessed?.toISOString() ?? null,
  }
}
