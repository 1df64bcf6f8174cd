import type { Pattern } from '../schema.ts'
import type { Metadata } from '../store.ts'
import type { PatternRow } from './pattern-store.ts'

/** A pattern as answers show it. */
export const toPattern = (row: PatternRow): Pattern => ({
  ...namesOf(row),
  metadata: metadataOf(row) ?? (row.text === null ? null : {}),
  ...restOf(row),
})

/**
 * The field `patterns` of an answer as JSON text, in parts. Metadata go in as they are kept: to read and write them again takes
 * longer than all else. @param rows undefined: there is no such pattern
 */
export const patternsJson = (rows: readonly (PatternRow | undefined)[]): string[] => [
  '"patterns":[',
  ...rows.map((row, i) => `${i === 0 ? '' : ','}${row === undefined ? 'null' : patternJson(row)}`),
  ']',
]

function patternJson(row: PatternRow): string {
  const metadata = row.metadata ?? (row.text === null ? 'null' : '{}')
  return `${JSON.stringify(namesOf(row)).slice(0, -1)},"metadata":${metadata},${JSON.stringify(restOf(row)).slice(1)}`
}

export const metadataOf = ({ metadata }: Pick<PatternRow, 'metadata'>): Metadata | null =>
  metadata === null ? null : JSON.parse(metadata)

const namesOf = (row: PatternRow) => ({
  pattern_id: row.id,
  pattern_idx: row.idx,
  external_id: row.external_id,
  subject: row.subject,
  text: row.text,
})

function restOf(row: PatternRow) {
  return {
    tier: row.tier,
    protected: row.protected,
    asked_protected: row.asked_protected,
    access_count: row.access_count ?? 0,
    created_at: row.created_at.toISOString(),
    occurred_at: row.occurred_at.toISOString(),
    expires_at: isoOrNull(row.expires_at),
    last_accessed: isoOrNull(row.last_accessed),
    version: row.revision,
    updated_at: (row.updated_at ?? row.created_at).toISOString(),
    valid_from: beginOf(row).toISOString(),
    valid_to: isoOrNull(row.valid_to),
    supersedes: row.shown_supersedes,
    superseded_by: row.shown_superseded_by,
  }
}

/** From when on a pattern holds: as `app.begins_at` says. */
const beginOf = ({ valid_from, occurred_at, valid_to }: PatternRow): Date =>
  valid_from ?? (valid_to !== null && valid_to < occurred_at ? valid_to : occurred_at)

export const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null
