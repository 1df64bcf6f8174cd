import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import type { DocumentRow } from './metadata-index.ts'

/** Up to `count` patterns after an idx, in idx order. */
export async function loadDocuments(
  queries: Queries,
  spaceId: string,
  afterIdx: number,
  count: number,
): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select * from app.load_documents(${spaceId}, ${afterIdx}, ${count})`.execute(queries)
  return rows
}

/** What changed in a space since a version, as far as filters look at it. */
export interface DocumentChange {
  /** Every change up to this version is included. */
  version: number
  /** Deletes up to this version may be missing. */
  historyFloor: number
  stored: DocumentRow[]
  removed: number[]
}

/** What changed after version `since`, the first of it where that is much (see `version`); undefined for a space that is gone. */
export async function listDocumentChanges(
  queries: Queries,
  spaceId: string,
  since: number,
): Promise<DocumentChange | undefined> {
  const { rows } = await sql<ChangeRow>`select * from app.changed_documents(${spaceId}, ${since})`.execute(
    queries,
  )
  const [first] = rows
  if (first === undefined) return undefined
  const stored: DocumentRow[] = []
  const removed: number[] = []
  for (const { idx, tier, version, history_floor, ...row } of rows) {
    if (idx === null) continue
    if (tier === null) removed.push(idx)
    else stored.push({ ...row, idx, tier })
  }
  return { version: first.version, historyFloor: first.history_floor, stored, removed }
}

/**
 * The idx of all patterns that are there and were stored or changed after version `since`.
 * @param trx a transaction that has locked the space: else there may be others by the time that the last ones are read
 */
export async function listChangedSince(trx: Trx, spaceId: string, since: number): Promise<Set<number>> {
  const changed = new Set<number>()
  // One statement tells of some thousand changes, and up to which version these are all.
  for (let version = since; ; ) {
    const changes = await listDocumentChanges(trx, spaceId, version)
    if (changes === undefined || changes.stored.length + changes.removed.length === 0) return changed
    for (const { idx } of changes.stored) changed.add(idx)
    version = changes.version
  }
}

type ChangeRow = Omit<DocumentRow, 'idx' | 'tier'> & {
  idx: number | null
  tier: string | null
  version: number
  history_floor: number
}

/** What filters look at of patterns, with their texts; there is no row for one that is deleted or expired. */
export async function findDocuments(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
): Promise<(DocumentRow & { text: string | null })[]> {
  const { rows } = await sql<DocumentRow & { text: string | null }>`
    select * from app.find_documents(${spaceId}, ${indexes}::int[])`.execute(queries)
  return rows
}
