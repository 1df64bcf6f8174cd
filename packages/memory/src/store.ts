import type { Tier } from '@memory/engine/tiers'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import type { Change } from '@memory/shared/platform/database/tables'
import {
  readVector,
  vectorArray,
  vectorDimensions,
  vectorText,
} from '@memory/shared/platform/database/vector-array'
import { sql } from 'kysely'
import type { PatternSet } from './index/pattern-set.ts'
import type { IndexedPattern } from './index/space-index.ts'
import type { StoredPassage } from './lexical/passage-store.ts'
import { hashKey } from './patterns/key-hash.ts'
import { slicesOf } from './slices.ts'
import { orOtherEncoder, type SpaceHeader } from './spaces/space-encoder.ts'

export type Metadata = Record<string, unknown>

/** A pattern to be stored. */
export interface NewPattern {
  id: string
  text: string | null
  metadata: Metadata | null
  key: Float32Array
  /** Null when it equals the key. */
  value: Float32Array | null
  /** The dimension that the key was projected down from; null if it was not. */
  sourceDim: number | null
  /** Hex; null for a vector pattern. */
  textHash: string | null
  category: string | null
  /** What follows from metadata and category; its address may say otherwise. */
  protected: boolean
  expiresAt: Date | null
  /** Null: now. */
  occurredAt: Date | null
  /** Passages of a long text, which `insertPassages` stores in the same transaction. */
  passages?: readonly StoredPassage[] | undefined
  address?: Address | undefined
}

/** A pattern's names, owner, protection and validity. */
export interface Address {
  /** The caller's own name for the pattern. */
  externalId?: string | null | undefined
  /** The end user; null: none; undefined: unchanged if this replaces a pattern, else none. */
  subject?: string | null | undefined
  /** What the caller says of it; null: nothing any more; undefined: unchanged if this replaces a pattern, else nothing. */
  protected?: boolean | null | undefined
  /** Null: from `occurredAt` on. */
  validFrom?: Date | null | undefined
  validTo?: Date | null | undefined
  /** The pattern that this one supersedes: its id, or `ext:` and its own name. */
  supersedes?: string | null | undefined
}

/** What to do with a pattern whose own name is taken by a stored one. */
export const conflictRules = ['replace', 'skip', 'error'] as const
export type ConflictRule = (typeof conflictRules)[number]

/** How a change is recorded in the history of a pattern. */
export interface Versioning {
  /** Who makes the change. */
  by: string | null
  /** How many earlier revisions of a pattern are kept. */
  kept: number
}

/** For changes that the service makes by itself: no author, and no earlier revision is kept. */
const ownVersioning: Versioning = { by: null, kept: 0 }

/** What became of one of the patterns to be stored. */
export interface Placed {
  /** `failed`: there was no room for it in the plan. */
  outcome: 'created' | 'replaced' | 'skipped' | 'failed'
  /** -1 for one that failed. */
  idx: number
  id: string
  tier: Tier
}

/** Why one pattern had the whole batch refused. */
export type Refusal = 'exists' | 'other_kind' | 'unknown' | 'superseded' | 'too_early'

/** The result of `insertPatterns`. */
export interface Inserted {
  /** How many patterns were stored; if none has an own name, the first ones, up to the limit. */
  stored: number
  /** The idx of the first new pattern; the others' follow. */
  firstIdx: number
  /** The space's version afterwards. */
  version: number
  /** Patterns in the space afterwards. */
  patternsUsed: number
  /** When, by the database's clock, in ms since 1970. Also `occurred_at` of patterns that were given none. */
  at: number
  /** What became of each pattern, in the order given. */
  placed: Placed[]
  /** Whether the validity of another pattern changed, as of one that is superseded. */
  changedOthers: boolean
  /** Set if nothing was stored: why, and because of which pattern (its position). */
  refused?: { refusal: Refusal; n: number } | undefined
}

interface StoredRow {
  stored: number
  first_idx: number
  version: number
  patterns_used: number
  at: number
  outcomes: (Placed['outcome'] | Refusal)[] | null
  places: number[] | null
  ids: string[] | null
  tiers: Tier[] | null
  changed_others: boolean | null
}

/** How `store_patterns` is told that a pattern has no subject, since null means unchanged. No subject's name is empty. */
const noSubject = ''
/** How it is told that nothing is said of the protection any more. */
const resetProtection = 'reset'

/**
 * Stores patterns in one statement, as many as `patternsLimit` (-1: no limit) leaves room for. A pattern whose own name is taken
 * replaces the stored one, unless `onConflict` says otherwise. No own name may occur twice in `patterns`.
 * @throws ApiError unavailable where the space's texts have embeddings of another encoder than `model`
 */
export async function insertPatterns(
  queries: Queries,
  spaceId: string,
  patternsLimit: number,
  model: string,
  patterns: NewPattern[],
  { onConflict = 'replace', by, kept }: Partial<Versioning> & { onConflict?: ConflictRule } = ownVersioning,
): Promise<Inserted> {
  const column = <T>(read: (pattern: NewPattern) => T) => patterns.map(read)
  /** A column that few patterns have: null instead of an array if none has it, which keeps the statement short. */
  const rare = <T>(read: (address: Address) => T | null | undefined) => {
    const values = patterns.map(({ address }) => (address && read(address)) ?? null)
    return values.some((value) => value !== null) ? values : null
  }
  const supersedes = rare(({ supersedes }) => supersedes)
  const names = rare(({ externalId }) => externalId) ?? supersedes?.map(() => null) ?? null
  const { rows } = await sql<StoredRow>`
    select s.*, app.in_ms(now()) as at, app.changed_beside(${spaceId}, s.version, s.places) as changed_others
      from app.store_patterns(
      ${spaceId}, ${patternsLimit}, ${column((p) => p.id)}::text[], ${column((p) => p.text)}::text[],
      ${column((p) => jsonText(p.metadata))}::text[], ${vectorArray(column((p) => p.key))}::vector[], ${vectorArray(column((p) => p.value))}::vector[],
      ${column((p) => p.sourceDim)}::int[], ${column((p) => p.textHash)}::text[], ${model},
      ${column((p) => p.category)}::text[], ${column((p) => p.protected)}::bool[],
      ${column((p) => p.expiresAt?.toISOString() ?? null)}::timestamptz[],
      ${column((p) => p.occurredAt?.toISOString() ?? null)}::timestamptz[],
      ${column((p) => hashKey(p.key))}::text[], ${rare(({ subject }) => (subject === null ? noSubject : subject))}::text[], ${names}::text[],
      ${rare(({ validFrom }) => validFrom?.toISOString())}::timestamptz[],
      ${rare(({ validTo }) => validTo?.toISOString())}::timestamptz[], ${supersedes}::text[], ${onConflict}::text,
      ${kept ?? 0}, ${by ?? null}::text,
      ${rare(({ protected: asked }) => (asked === null ? resetProtection : asked?.toString()))}::text[]) s`
    .execute(queries)
    .catch(orOtherEncoder)
  return toInserted(only(rows), patterns)
}

function toInserted(row: StoredRow, patterns: readonly NewPattern[]): Inserted {
  const { stored, outcomes, places, ids, tiers } = row
  const n = outcomes?.findIndex(isRefusal) ?? -1
  const placed = patterns.map(({ id }, i): Placed => {
    const outcome = outcomes?.[i] ?? (i < stored ? 'created' : 'failed')
    return {
      outcome: outcome as Placed['outcome'],
      idx: places?.[i] ?? (i < stored ? row.first_idx + i : -1),
      id: ids?.[i] ?? id,
      tier: tiers?.[i] ?? 'hot',
    }
  })
  return {
    stored,
    firstIdx: row.first_idx,
    version: row.version,
    patternsUsed: row.patterns_used,
    at: row.at,
    placed,
    changedOthers: row.changed_others === true,
    refused: n === -1 ? undefined : { refusal: outcomes?.[n] as Refusal, n },
  }
}

const outcomes: readonly string[] = ['created', 'replaced', 'skipped', 'failed']
const isRefusal = (outcome: string): boolean => !outcomes.includes(outcome)

/** What answers show of a pattern. */
export interface PayloadRow {
  idx: number
  id: string
  text: string | null
  /** JSON text of an object. */
  metadata: string | null
  /** JSON text of an array of numbers; null when it was not asked for. */
  value: string | null
  /** Length of the key. */
  dimensions: number
  source_dim: number | null
  /** `occurred_at` in ms since 1970: when it was stored, unless the caller gave a time. */
  at: number
  /** The caller's own name for the pattern. */
  external_id: string | null
}

/** Payloads of patterns; there is no row for one that is deleted or expired. */
export async function findPayloads(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
  values: boolean,
): Promise<PayloadRow[]> {
  const { rows } = await sql<PayloadRow>`
    select * from app.find_payloads(${spaceId}, ${indexes}::int[], ${values})`.execute(queries)
  return rows
}

/** How many patterns an end user has. */
export async function countOfSubject(queries: Queries, spaceId: string, subject: string): Promise<number> {
  const { rows } = await sql<{ patterns: number }>`
    select app.patterns_of_subject(${spaceId}, ${subject}) as patterns`.execute(queries)
  return only(rows).patterns
}

/** Locks the space against changes by others until the transaction ends. */
export async function lockSpace(trx: Trx, spaceId: string): Promise<void> {
  await sql`select from app.spaces where id = ${spaceId} for no key update`.execute(trx)
}

/**
 * The idx of the patterns of a space, in ascending order; given a subject or category, of those that have it. Expired ones that
 * are not erased yet are among them.
 */
export async function listIndexes(
  queries: Queries,
  spaceId: string,
  of: { subject?: string | undefined; category?: string | undefined } = {},
): Promise<number[]> {
  const { rows } = await sql<{ indexes: number[] }>`
    select coalesce(array_agg(p.idx), '{}') as indexes from app.patterns p
      where p.space_id = ${spaceId}
        ${of.subject === undefined ? sql`` : sql`and p.subject = ${of.subject}`}
        ${of.category === undefined ? sql`` : sql`and p.category = ${of.category}`}`.execute(queries)
  return rows[0]?.indexes.sort((a, b) => a - b) ?? []
}

/** Which patterns to remove: those that meet all of the conditions given. */
export interface Removal {
  indexes?: ArrayLike<number> | undefined
  similar?: SimilarTo | undefined
  category?: string | undefined
  /** The patterns that a filter lets in. */
  among?: PatternSet | undefined
  textOnly: boolean
  /** Find them without removing them. */
  dryRun: boolean
}

/** The patterns whose cosine with a text is at least a threshold. */
export interface SimilarTo {
  /** The idx of those that a search found. */
  found: ArrayLike<number>
  /** The space's version that was searched: the database judges patterns changed later by itself. */
  seen: number
  /** The text's embedding. */
  query: Float32Array
  threshold: number
  /** See `textHash`: a pattern with the same text is similar even if rounding puts its cosine below the threshold. */
  textHash: string
}

export interface Removed {
  patterns: { idx: number; id: string }[]
  /** The space's version after the removal; undefined when nothing was removed. */
  version: number | undefined
}

/** Removes patterns, or finds them: any number, since each statement is for some of them. */
export async function removePatterns(queries: Queries, spaceId: string, removal: Removal): Promise<Removed> {
  const { similar, category } = removal
  const among = removal.among && [...removal.among.from(0)]
  const found = similar?.found ?? removal.indexes ?? among
  if (found === undefined && category === undefined) throw new Error('A removal says which patterns.')
  const named = found ?? (await listIndexes(queries, spaceId, { category }))
  const ids = new Map<number, string>()
  let version: number | undefined
  for (const indexes of slicesOf(named)) {
    const { rows } = await sql<{ idx: number; id: string; version: number | null }>`
      select * from app.remove_patterns(
        ${spaceId}, ${indexes}::int[], ${similar?.seen ?? null}::bigint,
        ${similar === undefined ? null : vectorText(similar.query)}::text,
        ${similar?.threshold ?? null}::float8, ${similar?.textHash ?? null}::text, ${category ?? null}::text,
        ${named === among ? null : (among ?? null)}::int[], ${removal.textOnly}, ${removal.dryRun})`.execute(
      queries,
    )
    // What was stored since a search is found again for each part of what it found.
    for (const { idx, id } of rows) ids.set(idx, id)
    version = rows[0]?.version ?? version
  }
  const patterns = Array.from(ids, ([idx, id]) => ({ idx, id }))
  return { patterns: patterns.sort((a, b) => a.idx - b.idx), version }
}

export async function emptySpace(
  queries: Queries,
  spaceId: string,
): Promise<{ deleted: number; version: number }> {
  const { rows } = await sql<{ deleted: number; version: number }>`
    select * from app.empty_space(${spaceId})`.execute(queries)
  return only(rows)
}

/** A change to a pattern; what is absent is unchanged. */
export interface PatternChange {
  embedding?: { text: string; key: Float32Array; textHash: string; model: string } | undefined
  /** For a vector pattern; a value of null means that it equals the key. */
  vectors?: { key: Float32Array; value: Float32Array | null; sourceDim: number | null } | undefined
  metadata?: { value: Metadata | null; category: string | null; protected: boolean } | undefined
  fields?: ChangedFields | undefined
}

/** Columns of a pattern to set. */
export interface ChangedFields {
  category?: string | null
  protected?: boolean
  /** What a caller has said of the protection; null: nothing. */
  asked_protected?: boolean | null
  expires_at?: Date | null
  /** Null: when it was stored. */
  occurred_at?: Date | null
  external_id?: string | null
  subject?: string | null
  valid_from?: Date | null
  valid_to?: Date | null
  superseded_by?: string | null
}

/** Changes a pattern, which gives it a new revision. @returns undefined if there is no such pattern */
export async function updatePattern(
  queries: Queries,
  spaceId: string,
  id: string,
  { embedding, vectors, metadata, fields }: PatternChange,
  { by, kept, change = 'updated' }: Versioning & { change?: Change } = ownVersioning,
): Promise<{ idx: number; version: number } | undefined> {
  const key = embedding?.key ?? vectors?.key
  const changes = {
    ...(metadata && {
      metadata: metadata.value,
      category: metadata.category,
      protected: metadata.protected,
    }),
    ...(vectors && { value: vectors.value && vectorText(vectors.value), source_dim: vectors.sourceDim }),
    ...fields,
  }
  const { rows } = await sql<{ idx: number; version: number }>`
    select idx, version from app.change_pattern(
      ${spaceId}, ${id}, ${embedding?.text ?? null}::text,
      ${key === undefined ? null : vectorText(key)}::text, ${embedding?.textHash ?? null}::text,
      ${embedding?.model ?? null}::text, ${JSON.stringify(changes)}::jsonb, ${kept}, ${by}::text, ${change})`
    .execute(queries)
    .catch(orOtherEncoder)
  return rows[0]
}

/** How many text patterns a space has, and the bytes that all its rows and vectors take. */
export async function getStatistics(
  queries: Queries,
  spaceId: string,
): Promise<{ textPatterns: number; storageBytes: number }> {
  const { rows } = await sql<{ text_patterns: number; storage_bytes: number }>`
    select * from app.text_statistics(${spaceId})`.execute(queries)
  const { text_patterns, storage_bytes } = only(rows)
  return { textPatterns: text_patterns, storageBytes: storage_bytes }
}

export async function getVersion(queries: Queries, spaceId: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`select app.space_version(${spaceId}) as version`.execute(
    queries,
  )
  return only(rows).version
}

/**
 * The version of a space as it is now, and a time from which on there is everything that it lacks, by the database's clock: what is
 * being stored has the time at which that began.
 */
export async function beginReading(
  queries: Queries,
  spaceId: string,
): Promise<{ asOf: Date; version: number }> {
  const { rows } = await sql<{ asOf: Date; version: number }>`
    select as_of as "asOf", version from app.begin_reading(${spaceId})`.execute(queries)
  return only(rows)
}

/** @returns undefined for a space that is gone */
export async function findSpaceHeader(queries: Queries, spaceId: string): Promise<SpaceHeader | undefined> {
  const { rows } = await sql<{ version: number; history_floor: number; text_model: string | null }>`
    select * from app.space_header(${spaceId})`.execute(queries)
  const [row] = rows
  return row && { version: row.version, historyFloor: row.history_floor, textModel: row.text_model }
}

/** Whether a space was erased together with its organization. */
export async function isGone(queries: Queries, spaceId: string): Promise<boolean> {
  const { rows } = await sql<{ gone: boolean }>`
    select app.space_version(${spaceId}) is null as gone`.execute(queries)
  return only(rows).gone
}

/** Whether anything was removed from a space after version `since`, or the space is older than that, or gone. */
export async function hasForgotten(queries: Queries, spaceId: string, since: number): Promise<boolean> {
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<{ forgotten: boolean }>`
      select not exists (
        select from app.spaces s where s.id = ${spaceId} and s.version >= ${since} and s.history_floor <= ${since}
      ) or exists (
        select from app.pattern_tombstones t where t.space_id = ${spaceId} and t.version > ${since}
      ) as forgotten`.execute(trx),
  )
  return only(rows).forgotten
}

interface IndexRow {
  idx: number
  key: Uint8Array | null
  is_text: boolean
  source_dim: number | null
  expires_at: Date | null
  tier: Tier
}

/** Up to `count` patterns after an idx, in idx order, as the index holds them. */
export async function loadPage(
  queries: Queries,
  spaceId: string,
  afterIdx: number,
  count: number,
): Promise<IndexedPattern[]> {
  const { rows } = await sql<IndexRow>`
    select * from app.load_patterns(${spaceId}, ${afterIdx}, ${count})`.execute(queries)
  return rows.map((row) => toIndexed(row, row.key as Uint8Array))
}

/**
 * Keys of patterns by idx; there is none for a pattern that is deleted or expired.
 * @param modelId leaves out text embeddings of other encoders; undefined: any encoder
 */
export async function findKeys(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
  modelId: string | undefined,
): Promise<Map<number, Float32Array>> {
  const { rows } = await sql<{ idx: number; key: Uint8Array }>`
    select * from app.find_keys(${spaceId}, ${indexes}::int[], ${modelId ?? null})`.execute(queries)
  return new Map(rows.map(({ idx, key }) => [idx, toVector(key)]))
}

/** What changed in a space after a version. */
export interface Changes {
  /** Every change up to this version is included. */
  version: number
  /** Deletes up to this version may be missing. */
  historyFloor: number
  /** Patterns that were stored or changed, as they are now. */
  stored: IndexedPattern[]
  /** The idx of deleted patterns. */
  removed: number[]
  /** The idx of patterns that are not valid now: searches leave them out, but they still exist. */
  hidden: number[]
}

export async function listChanges(queries: Queries, spaceId: string, since: number): Promise<Changes> {
  const { rows } = await sql<ChangeRow>`select * from app.changed_patterns(${spaceId}, ${since})`.execute(
    queries,
  )
  const { version, history_floor } = only(rows.slice(0, 1))
  const stored: IndexedPattern[] = []
  const removed: number[] = []
  const hidden: number[] = []
  for (const { idx, key, tier, ...row } of rows) {
    if (idx === null) continue
    if (tier === null) removed.push(idx)
    else if (key === null) hidden.push(idx)
    else stored.push(toIndexed({ ...row, idx, key, tier }, key))
  }
  return { version, historyFloor: history_floor, stored, removed, hidden }
}

type ChangeRow = Omit<IndexRow, 'idx' | 'tier'> & {
  idx: number | null
  tier: Tier | null
  version: number
  history_floor: number
}

function toIndexed(row: IndexRow, binary: Uint8Array): IndexedPattern {
  const key = toVector(binary)
  return {
    idx: row.idx,
    key,
    isText: row.is_text,
    sourceDim: row.source_dim,
    expiresAt: row.expires_at,
    tier: row.tier,
  }
}

/** Decodes pgvector's binary format. */
export function toVector(binary: Uint8Array): Float32Array {
  const vector = new Float32Array(vectorDimensions(binary))
  readVector(binary, vector)
  return vector
}

function jsonText(value: Metadata | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

function only<T>(rows: T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('The statement gave no row.')
  return row
}
