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
  sourceDim: number | null
  /** Hex; null for a vector pattern. */
  textHash: string | null
  category: string | null
  protected: boolean
  expiresAt: Date | null
  /** Null: now. */
  occurredAt: Date | null
  /** Of a long text; stored by `insertPassages`, in the same transaction. */
  passages?: readonly StoredPassage[] | undefined
  address?: Address | undefined
}

/** What a pattern has beside its contents. */
export interface Address {
  /** Its caller's own name for it. */
  externalId?: string | null | undefined
  /** Null where it is said that there is none; undefined where nothing is said, which leaves that of what is replaced. */
  subject?: string | null | undefined
  /** Null: when it occurred. */
  validFrom?: Date | null | undefined
  validTo?: Date | null | undefined
  /** What it takes the place of: an id, or `ext:` and an own name. */
  supersedes?: string | null | undefined
}

/** What is done with a pattern whose name another has. */
export const conflictRules = ['replace', 'skip', 'error'] as const
export type ConflictRule = (typeof conflictRules)[number]

/** Who changes patterns, and how many revisions of what is replaced are kept. */
export interface Versioning {
  by: string | null
  kept: number
}

/** Of what nobody asked for. */
export const ownVersioning: Versioning = { by: null, kept: 0 }

/** Where one of the patterns of a store is now. */
export interface Placed {
  outcome: 'created' | 'replaced' | 'skipped' | 'failed'
  /** -1 for one that failed: there was no room for it. */
  idx: number
  id: string
  tier: Tier
}

/** Why a store was refused, whole; of one of its patterns. */
export type Refusal = 'exists' | 'other_kind' | 'unknown' | 'superseded'

export interface Inserted {
  /** How many are there now: without names the first ones, as far as the limit allowed. */
  stored: number
  firstIdx: number
  version: number
  patternsUsed: number
  /** When by the database's clock, in ms since 1970: what they tell of happened then, unless they say otherwise. */
  at: number
  /** Of each pattern, in their order. */
  placed: Placed[]
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
}

/** Stands for a subject that is said to be none: no subject is empty. */
const ofNobody = ''

/**
 * Stores the patterns in one statement, as many as `patternsLimit` (-1: no limit) leaves room for. What has the name of
 * a pattern that is there takes its place, unless `onConflict` says otherwise; no name may be there twice.
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
  /** Null where no pattern has it: a statement of many is shorter by that. */
  const rare = <T>(read: (address: Address) => T | null | undefined) => {
    const values = patterns.map(({ address }) => (address && read(address)) ?? null)
    return values.some((value) => value !== null) ? values : null
  }
  const supersedes = rare(({ supersedes }) => supersedes)
  const names = rare(({ externalId }) => externalId) ?? supersedes?.map(() => null) ?? null
  const { rows } = await sql<StoredRow>`
    select s.*, app.in_ms(now()) as at from app.store_patterns(
      ${spaceId}, ${patternsLimit}, ${column((p) => p.id)}::text[], ${column((p) => p.text)}::text[],
      ${column((p) => jsonText(p.metadata))}::text[], ${vectorArray(column((p) => p.key))}::vector[], ${vectorArray(column((p) => p.value))}::vector[],
      ${column((p) => p.sourceDim)}::int[], ${column((p) => p.textHash)}::text[], ${model},
      ${column((p) => p.category)}::text[], ${column((p) => p.protected)}::bool[],
      ${column((p) => p.expiresAt?.toISOString() ?? null)}::timestamptz[],
      ${column((p) => p.occurredAt?.toISOString() ?? null)}::timestamptz[],
      ${column((p) => hashKey(p.key))}::text[], ${rare(({ subject }) => (subject === null ? ofNobody : subject))}::text[], ${names}::text[],
      ${rare(({ validFrom }) => validFrom?.toISOString())}::timestamptz[],
      ${rare(({ validTo }) => validTo?.toISOString())}::timestamptz[], ${supersedes}::text[], ${onConflict}::text,
      ${kept ?? 0}, ${by ?? null}::text) s`
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
  /** When what it tells of happened, in ms since 1970: when it was stored, unless its caller said otherwise. */
  at: number
  /** Its caller's own name for it. */
  external_id: string | null
}

/** Payloads of patterns; of one that is deleted or expired by now there is no row. */
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

/** Until the transaction ends nobody else changes the space. */
export async function lockSpace(trx: Trx, spaceId: string): Promise<void> {
  await sql`select from app.spaces where id = ${spaceId} for no key update`.execute(trx)
}

/** Which patterns to remove: those that meet every condition given. */
export interface Removal {
  indexes?: ArrayLike<number> | undefined
  similar?: SimilarTo | undefined
  category?: string | undefined
  /** Those that a filter lets in. */
  among?: PatternSet | undefined
  textOnly: boolean
  /** Only find them. */
  dryRun: boolean
}

/** What is about as similar to a text as the threshold says. */
export interface SimilarTo {
  /** What a search of the space at version `seen` found; what changed since then is judged where it is removed. */
  found: ArrayLike<number>
  seen: number
  query: Float32Array
  threshold: number
  /** Hex; the same text is as similar as can be, whatever rounding says. */
  textHash: string
}

export interface Removed {
  patterns: { idx: number; id: string }[]
  /** The space's version after the removal; undefined when nothing was removed. */
  version: number | undefined
}

export async function removePatterns(queries: Queries, spaceId: string, removal: Removal): Promise<Removed> {
  const { similar, category, among } = removal
  const indexes = similar?.found ?? removal.indexes
  const { rows } = await sql<{ idx: number; id: string; version: number | null }>`
    select * from app.remove_patterns(
      ${spaceId}, ${indexes === undefined ? null : Array.from(indexes)}::int[], ${similar?.seen ?? null}::bigint,
      ${similar === undefined ? null : vectorText(similar.query)}::text,
      ${similar?.threshold ?? null}::float8, ${similar?.textHash ?? null}::text, ${category ?? null}::text,
      ${among === undefined ? null : [...among.from(0)]}::int[], ${removal.textOnly}, ${removal.dryRun})`.execute(
    queries,
  )
  return { patterns: rows.map(({ idx, id }) => ({ idx, id })), version: rows[0]?.version ?? undefined }
}

export async function emptySpace(
  queries: Queries,
  spaceId: string,
): Promise<{ deleted: number; version: number }> {
  const { rows } = await sql<{ deleted: number; version: number }>`
    select * from app.empty_space(${spaceId})`.execute(queries)
  return only(rows)
}

/** A change to a pattern; what is absent stays. */
export interface PatternChange {
  embedding?: { text: string; key: Float32Array; textHash: string; model: string } | undefined
  /** Of a vector pattern; a value of null equals the key. */
  vectors?: { key: Float32Array; value: Float32Array | null; sourceDim: number | null } | undefined
  metadata?: { value: Metadata | null; category: string | null; protected: boolean } | undefined
  fields?: ChangedFields | undefined
}

/** Columns of a pattern that are changed as they are. */
export interface ChangedFields {
  category?: string | null
  protected?: boolean
  expires_at?: Date | null
  /** Null: when it was stored. */
  occurred_at?: Date | null
  external_id?: string | null
  subject?: string | null
  valid_from?: Date | null
  valid_to?: Date | null
  superseded_by?: string | null
}

/** Changes a pattern as a new revision of it. @returns undefined when the pattern is not there. */
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

/** Text patterns of a space, and the bytes that all its rows and vectors take. */
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

/** Whether something of a space was removed after some version, or the space has not come to that version. */
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
 * Keys of patterns by idx; of one that is deleted or expired by now there is none.
 * @param modelId the encoder that embeddings of texts are compared with: those of another are left out. undefined: of any
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

/** What changed in a space after some version. */
export interface Changes {
  /** Every change up to this version is in the list. */
  version: number
  /** Deletes up to this version may be missing from it. */
  historyFloor: number
  /** Patterns that were stored or changed, as they are now. */
  stored: IndexedPattern[]
  removed: number[]
  /** Patterns that are not valid now: they are in no search, and are there all the same. */
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

/** A vector of pgvector's binary form. */
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
