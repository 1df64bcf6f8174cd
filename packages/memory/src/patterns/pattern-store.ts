import { ApiError } from '@memory/shared/catalogue/errors'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { Tables } from '@memory/shared/platform/database/tables'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { toVector } from '../store.ts'
import { type PatternRef, readPatternRef } from './address.ts'

/** Condition: a pattern `p` is current, which is neither expired nor superseded, and already valid. */
export const isCurrent = sql<boolean>`app.is_current(p.expires_at, p.valid_to, p.enters_at)`

/** A pattern as lists return it. */
export interface PatternRow {
  idx: number
  id: string
  text: string | null
  /** JSON text of an object. */
  metadata: string | null
  tier: 'hot' | 'warm' | 'cold'
  protected: boolean
  /** What a caller has said of its protection; null: nothing. */
  asked_protected: boolean | null
  /** Null for a pattern that was in no answer yet. */
  access_count: number | null
  last_accessed: Date | null
  occurred_at: Date
  expires_at: Date | null
  created_at: Date
  source_dim: number | null
  external_id: string | null
  subject: string | null
  revision: number
  /** Null if it was never changed. */
  updated_at: Date | null
  valid_from: Date | null
  valid_to: Date | null
  supersedes: string | null
  superseded_by: string | null
  /** The two links, null where the reader may not see the linked pattern. */
  shown_supersedes: string | null
  shown_superseded_by: string | null
}

/** Columns with these two links of rows `p`: a caller bound to an end user gets no id of another's pattern. */
export const shownLinks = (spaceId: string) =>
  [
    sql<string | null>`app.shown_link(${spaceId}, p.supersedes)`.as('shown_supersedes'),
    sql<string | null>`app.shown_link(${spaceId}, p.superseded_by)`.as('shown_superseded_by'),
  ] as const

/** Which patterns to list. */
export interface PageOf {
  /** Only patterns with a greater idx. */
  after: number
  count: number
  /** Also those that are not valid now. */
  all: boolean
}

/** Up to `count` patterns after an idx, in store order. */
export const listPatterns = (queries: Queries, spaceId: string, page: PageOf): Promise<PatternRow[]> =>
  readPage(queries, spaceId, sql`app.patterns`, page, { inOrder: true })

export function findPattern(
  queries: Queries,
  spaceId: string,
  ref: PatternRef,
): Promise<PatternRow | undefined> {
  return asTenant(queries, { spaceId }, (trx) => findPatternIn(trx, spaceId, ref))
}

/** A pattern that has not expired, valid or not. @param trx a transaction of the space's tenant */
function findPatternIn(trx: Trx, spaceId: string, ref: PatternRef): Promise<PatternRow | undefined> {
  const rows = unexpired(trx, spaceId)
  return 'id' in ref
    ? rows.where('p.id', '=', ref.id).executeTakeFirst()
    : rows.where('p.external_id', '=', ref.externalId).executeTakeFirst()
}

/** A pattern that has not expired. @param id its id, or `ext:` and its own name @throws ApiError pattern_not_found */
export function requirePattern(queries: Queries, spaceId: string, id: string): Promise<PatternRow> {
  return asTenant(queries, { spaceId }, (trx) => requirePatternIn(trx, spaceId, id))
}

/** As `requirePattern`, in a transaction of the space's tenant. */
export async function requirePatternIn(trx: Trx, spaceId: string, id: string): Promise<PatternRow> {
  const ref = readPatternRef(id)
  const row = ref && (await findPatternIn(trx, spaceId, ref))
  if (row === undefined) throw new ApiError('pattern_not_found')
  return row
}

/** The key of a pattern that exists. */
export async function findStoredKey(trx: Trx, spaceId: string, idx: number): Promise<Float32Array> {
  const { rows } = await sql<{ key: Uint8Array }>`
    select vector_send(key) as key from app.patterns where space_id = ${spaceId} and idx = ${idx}`.execute(
    trx,
  )
  return toVector((rows[0] as { key: Uint8Array }).key)
}

/** When the pattern that another one has ended began; null where nobody said so, or the caller does not see it. */
export async function findBeginOfSuperseded(trx: Trx, spaceId: string, idx: number): Promise<Date | null> {
  const { rows } = await sql<{ began: Date | null }>`
    select app.begin_of_superseded(${spaceId}, ${idx}, '{}') as began`.execute(trx)
  return (rows[0] as { began: Date | null }).began
}

/** Patterns by idx, in the order asked for; those that are gone are left out. */
export async function findPatternsAt(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
): Promise<PatternRow[]> {
  if (indexes.length === 0) return []
  const rows = await readPage(queries, spaceId, namedBy(spaceId, sql`${indexes}::int[]`), {
    ...everyOne,
    count: indexes.length,
  })
  const found = new Map(rows.map((row) => [row.idx, row]))
  return indexes.flatMap((idx) => found.get(idx) ?? [])
}

/** Unexpired patterns by idx, one at least, in no certain order. @param trx a transaction of the space's tenant */
export const findPatternsIn = (
  trx: Trx,
  spaceId: string,
  indexes: readonly number[],
): Promise<PatternRow[]> => unexpired(trx, spaceId, namedBy(spaceId, sql`${indexes}::int[]`)).execute()

/** The pattern with an own name, even one that has expired and is not erased yet. */
export async function findNamed(
  trx: Trx,
  spaceId: string,
  name: string,
): Promise<{ idx: number; expired: boolean } | undefined> {
  const { rows } = await sql<{ idx: number; expired: boolean }>`
    select idx, coalesce(expires_at <= now(), false) as expired from app.patterns
      where space_id = ${spaceId} and external_id = ${name}`.execute(trx)
  return rows[0]
}

/** How callers name patterns. */
export interface Names {
  ids: readonly string[]
  externalIds: readonly string[]
  indexes?: readonly number[]
}

/** Unexpired patterns by their ids, own names or idx, in the order of their idx. */
export function findPatterns(queries: Queries, spaceId: string, names: Names): Promise<PatternRow[]> {
  const { ids, externalIds, indexes = [] } = names
  const count = ids.length + externalIds.length + indexes.length
  return readPage(queries, spaceId, namedBy(spaceId, indexesOf(spaceId, names)), { ...everyOne, count })
}

/** The idx of unexpired patterns. @param trx a transaction of the space's tenant */
export async function findIndexes(trx: Trx, spaceId: string, names: Names): Promise<number[]> {
  const { rows } = await sql<{ idx: number }>`
    select p.idx from ${namedBy(spaceId, indexesOf(spaceId, names))} p where ${isUnexpired}`.execute(trx)
  return rows.map(({ idx }) => idx)
}

/** An array of the distinct idx that names lead to. */
function indexesOf(spaceId: string, { ids, externalIds, indexes = [] }: Names) {
  const those = (column: 'id' | 'external_id', values: readonly string[]) => sql`
    select p.idx from unnest(${values}::text[]) as n (value) cross join lateral (
      select o.idx from app.patterns o where o.space_id = ${spaceId} and o.${sql.ref(column)} = n.value limit 1
    ) as p`
  return sql`array(
    ${those('id', ids)} union ${those('external_id', externalIds)} union select unnest(${indexes}::int[]))`
}

export interface ImportantRow {
  idx: number
  id: string
  external_id: string | null
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
  const list = (trx: Trx) =>
    sql<ImportantRow>`
      select p.idx, p.id, p.external_id, p.text, p.category, p.protected from app.patterns p
        where p.space_id = ${spaceId} and p.idx < ${before} and p.category is not null and p.category <> 'preference' and p.text is not null
          and ${isCurrent}
        order by p.idx desc limit ${count}`.execute(trx)
  const { rows } = await asTenant(queries, { spaceId }, list, { inOrder: true })
  return rows
}

/**
 * Bytes of patterns that one statement reads, unless there is one alone: while rows are read from the embedded database, and
 * while they are decoded, nobody else is served.
 */
const statementBytes = 2 ** 20

const everyOne = { after: -1, all: true }

/** Reads unexpired patterns in the order of their idx. Those that are long are read by several statements. */
async function readPage(
  queries: Queries,
  spaceId: string,
  patterns: RawBuilder<unknown>,
  { after, count, all }: PageOf,
  options: { inOrder?: boolean } = {},
): Promise<PatternRow[]> {
  const rows: PatternRow[] = []
  for (let from = after; ; ) {
    const page = sql`(
      select p.*, sum(p.bytes) over (order by p.idx rows unbounded preceding) as bytes_so_far from ${patterns} p
        where p.space_id = ${spaceId} and ${isUnexpired} and p.idx > ${from} ${all ? sql`` : sql`and ${isCurrent}`}
        order by p.idx limit ${count - rows.length})`
    const read = await asTenant(
      queries,
      { spaceId },
      (trx) =>
        shown(trx, spaceId, page)
          .select(sql<number>`p.bytes_so_far`.as('bytes_so_far'))
          .where(sql<boolean>`p.bytes_so_far - p.bytes < ${statementBytes}`)
          .orderBy('p.idx')
          .execute(),
      options,
    )
    rows.push(...read)
    const last = read.at(-1)
    if (last === undefined || last.bytes_so_far < statementBytes || rows.length === count) return rows
    from = last.idx
  }
}

/** The patterns of an array of distinct idx. */
const namedBy = (spaceId: string, indexes: RawBuilder<unknown>) =>
  sql`app.named_patterns(${spaceId}, ${indexes})`

/** Condition: a pattern `p` has not expired. */
const isUnexpired = sql<boolean>`(p.expires_at is null or p.expires_at > now())`

/** A query for unexpired patterns. @param patterns of which; all unless given */
const unexpired = (trx: Trx, spaceId: string, patterns: RawBuilder<unknown> = sql`app.patterns`) =>
  shown(trx, spaceId, patterns).where('p.space_id', '=', spaceId).where(isUnexpired)

/** A query for what is shown of patterns. */
function shown(trx: Trx, spaceId: string, patterns: RawBuilder<unknown>) {
  return trx
    .withSchema('app')
    .selectFrom(patterns.$castTo<Selectable<Tables['patterns']>>().as('p'))
    .leftJoin('pattern_accesses as a', (join) =>
      join.onRef('a.space_id', '=', 'p.space_id').onRef('a.idx', '=', 'p.idx'),
    )
    .select([
      'p.idx',
      'p.id',
      'p.text',
      'p.tier',
      'p.protected',
      'p.asked_protected',
      'a.access_count',
      'a.last_accessed',
    ])
    .select(sql<string | null>`p.metadata::text`.as('metadata'))
    .select(['p.occurred_at', 'p.expires_at', 'p.created_at', 'p.external_id', 'p.subject', 'p.revision'])
    .select(['p.source_dim', 'p.updated_at', 'p.valid_from', 'p.valid_to', 'p.supersedes', 'p.superseded_by'])
    .select(shownLinks(spaceId))
}
