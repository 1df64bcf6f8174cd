import type { Pattern } from '../schema.ts'
import type { PatternRow } from './pattern-store.ts'

/** A pattern as answers show it. */
export function toPattern(row: PatternRow): Pattern {
  return {
    pattern_id: row.id,
    pattern_idx: row.idx,
    external_id: row.external_id,
    subject: row.subject,
    text: row.text,
    metadata: row.metadata ?? (row.text === null ? null : {}),
    tier: row.tier,
    protected: row.protected,
    access_count: row.access_count ?? 0,
    created_at: row.created_at.toISOString(),
    occurred_at: row.occurred_at.toISOString(),
    expires_at: isoOrNull(row.expires_at),
    last_accessed: isoOrNull(row.last_accessed),
    version: row.revision,
    updated_at: (row.updated_at ?? row.created_at).toISOString(),
    valid_from: (row.valid_from ?? row.occurred_at).toISOString(),
    valid_to: isoOrNull(row.valid_to),
    supersedes: row.shown_supersedes,
    superseded_by: row.shown_superseded_by,
  }
}

export const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null
