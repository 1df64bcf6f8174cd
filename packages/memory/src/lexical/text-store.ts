import type { Queries } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { type PassageColumns, type StoredPassage, toPassages } from './passage-store.ts'

/** The text of a pattern. */
export interface IndexedText {
  idx: number
  text: string
}

/** Whether the text of a pattern is known. */
export const hasText = <Pattern extends { text?: string }>(
  pattern: Pattern,
): pattern is Pattern & IndexedText => pattern.text !== undefined

/** Up to `count` texts after an idx, in idx order. */
export async function loadTexts(
  queries: Queries,
  spaceId: string,
  afterIdx: number,
  count: number,
): Promise<LoadedText[]> {
  const { rows } = await sql<IndexedText & { subject: string | null; expires_at: Date | null }>`
    select * from app.texts_after(${spaceId}, ${afterIdx}, ${count})`.execute(queries)
  return rows.map(({ expires_at: expiresAt, ...text }) => ({ ...text, expiresAt }))
}

/** A text with its subject (null: none) and expiry (null: never). */
interface LoadedText extends IndexedText {
  subject: string | null
  expiresAt: Date | null
}

/** A text that was stored or replaced. */
interface StoredText extends IndexedText {
  passages?: readonly StoredPassage[] | undefined
  /** Null: none; undefined: unchanged. */
  subject?: string | null | undefined
}

/** What changed in the texts of a space. */
export interface TextChange {
  /** Every change up to this version is included. */
  version: number
  stored: readonly StoredText[]
  /** Expiries that were set (null: never); those of other patterns are unchanged. */
  expiries: readonly Pick<LoadedText, 'idx' | 'expiresAt'>[]
  removed: readonly number[]
}

/**
 * What changed in the texts of a space after a version.
 * @returns the change, in which deletes up to `historyFloor` may be missing; undefined for a space that is gone
 */
export async function listTextChanges(
  queries: Queries,
  spaceId: string,
  since: number,
): Promise<(TextChange & { historyFloor: number }) | undefined> {
  const { rows } = await sql<
    PassageColumns & {
      version: number
      history_floor: number
      idx: number | null
      text: string | null
      subject: string | null
      expires_at: Date | null
    }
  >`select * from app.text_changes(${spaceId}, ${since})`.execute(queries)
  const [row] = rows
  if (row === undefined) return undefined
  const stored: TextChange['stored'][number][] = []
  const expiries: TextChange['expiries'][number][] = []
  const removed: number[] = []
  for (const { idx, text, subject, expires_at: expiresAt, ...columns } of rows) {
    if (idx === null) continue
    if (text === null) {
      removed.push(idx)
      continue
    }
    stored.push({ idx, text, subject, passages: toPassages(columns) })
    expiries.push({ idx, expiresAt })
  }
  return { version: row.version, historyFloor: row.history_floor, stored, expiries, removed }
}
