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
): Promise<IndexedText[]> {
  const { rows } = await sql<IndexedText>`
    select * from app.load_texts(${spaceId}, ${afterIdx}, ${count})`.execute(queries)
  return rows
}

/** What changed in the texts of a space. */
export interface TextChange {
  /** Every change up to this version is in it. */
  version: number
  stored: readonly (IndexedText & { passages?: readonly StoredPassage[] | undefined })[]
  removed: readonly number[]
}

/**
 * What changed in the texts of a space after a version.
 * @returns deletes up to its `historyFloor` may be missing; undefined for a space that is gone
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
    }
  >`select * from app.changed_texts_and_passages(${spaceId}, ${since})`.execute(queries)
  const [row] = rows
  if (row === undefined) return undefined
  const stored: TextChange['stored'][number][] = []
  const removed: number[] = []
  for (const { idx, text, ...columns } of rows) {
    if (idx === null) continue
    if (text === null) removed.push(idx)
    else stored.push({ idx, text, passages: toPassages(columns) })
  }
  return { version: row.version, historyFloor: row.history_floor, stored, removed }
}
