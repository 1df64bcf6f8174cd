import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { asTenant } from '@memory/shared/platform/database/database'
import type { Change } from '@memory/shared/platform/database/tables'
import { vectorText } from '@memory/shared/platform/database/vector-array'
import { sql } from 'kysely'
import type { DocumentRow } from '../filter/metadata-index.ts'
import { slicesOf } from '../slices.ts'
import { type Metadata, toVector } from '../store.ts'

/** A version of a pattern as its history shows it. */
export interface VersionRow {
  revision: number
  text: string | null
  metadata: Metadata | null
  /** JSON text of an array of numbers; null of a text. */
  value: string | null
  occurred_at: Date | null
  expires_at: Date | null
  valid_from: Date | null
  valid_to: Date | null
  changed_at: Date
  changed_by: string | null
  change: Change
  redacted: boolean
}

/** What is left of a version that was redacted, or whose own time is over. */
const emptied = {
  ...{ text: null, metadata: null, value: null, redacted: true },
  ...{ occurred_at: null, expires_at: null, valid_from: null, valid_to: null },
}

/** The version that is there and those that are kept, below one, newest first. */
export async function listVersions(
  queries: Queries,
  spaceId: string,
  idx: number,
  { before, count }: { before: number; count: number },
): Promise<VersionRow[]> {
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<VersionRow & { is_over: boolean }>`
      select p.revision, p.text, p.metadata, case when p.text is null then coalesce(p.value, p.key)::text end as value,
          p.occurred_at, p.expires_at, app.begins_at(p.valid_from, p.occurred_at, p.valid_to) as valid_from, p.valid_to,
          coalesce(p.updated_at, p.created_at) as changed_at, p.changed_by, coalesce(p.change, 'created') as change,
          false as redacted, coalesce(p.expires_at <= now(), false) as is_over
        from app.patterns p where p.space_id = ${spaceId} and p.idx = ${idx} and p.revision < ${before}
      union all
      select v.revision, v.text, v.metadata, case when v.text is null then coalesce(v.value, v.key)::text end,
          v.occurred_at, v.expires_at, app.begins_at(v.valid_from, v.occurred_at, v.valid_to), v.valid_to, v.changed_at, v.changed_by,
          v.change, v.redacted_at is not null, coalesce(v.expires_at <= now(), false)
        from app.pattern_versions v where v.space_id = ${spaceId} and v.idx = ${idx} and v.revision < ${before}
      order by revision desc limit ${count}`.execute(trx),
  )
  return rows.map(({ is_over, ...row }) => (is_over ? { ...row, ...emptied } : row))
}

/** What a version held that was replaced. */
export interface KeptVersion {
  text: string | null
  metadata: Metadata | null
  key: Float32Array
  /** Null when it equals the key. */
  value: Float32Array | null
  sourceDim: number | null
  model: string | null
  occurredAt: Date
  expiresAt: Date | null
  validFrom: Date | null
  validTo: Date | null
  /** Whether the pattern that has its place now, if any, had it by then. */
  isSuperseded: boolean
}

/** @returns undefined for one that is not kept, was redacted, or has expired */
export async function findVersion(
  trx: Trx,
  spaceId: string,
  idx: number,
  revision: number,
): Promise<KeptVersion | undefined> {
  const { rows } = await sql<
    Omit<KeptVersion, 'key' | 'value'> & { key: Uint8Array; value: Uint8Array | null }
  >`
    select text, metadata, vector_send(key) as key, vector_send(value) as value, source_dim as "sourceDim", model,
        occurred_at as "occurredAt", expires_at as "expiresAt", valid_from as "validFrom", valid_to as "validTo",
        superseded_by = (select p.superseded_by from app.patterns p where p.space_id = ${spaceId} and p.idx = ${idx})
          -- Of versions of long ago it is not known by what: they were if the last time of all was before.
          or superseded_by is null and revision >= greatest(
            (select max(s.revision) from app.pattern_versions s
              where s.space_id = ${spaceId} and s.idx = ${idx} and s.change = 'superseded'),
            (select p.revision from app.patterns p
              where p.space_id = ${spaceId} and p.idx = ${idx} and p.change = 'superseded'), 0) as "isSuperseded"
      from app.pattern_versions
      where space_id = ${spaceId} and idx = ${idx} and revision = ${revision} and redacted_at is null
        and (expires_at is null or expires_at > now())`.execute(trx)
  const [row] = rows
  return row && { ...row, key: toVector(row.key), value: row.value && toVector(row.value) }
}

/** Names a version in a space. */
export interface VersionPlace {
  idx: number
  revision: number
}

/** Takes everything out of kept versions that they held. @returns how many there were with anything in them */
export async function redactVersions(
  trx: Trx,
  spaceId: string,
  places: readonly VersionPlace[],
): Promise<number> {
  let redacted = 0
  for (const some of slicesOf(places)) {
    const { rows } = await sql<{ redacted: number }>`
      select app.redact_versions(${spaceId}, ${some.map(({ idx }) => idx)}::int[],
        ${some.map(({ revision }) => revision)}::int[]) as redacted`.execute(trx)
    redacted += rows[0]?.redacted ?? 0
  }
  return redacted
}

/** A kept version, with what a filter looks at as it was then. */
export interface KeptRow extends VersionPlace, DocumentRow {
  category: string | null
  text: string | null
  /** With what is asked for; null for what is no text, or where nothing is. */
  cosine: number | null
}

/** Which kept versions are read. */
export interface KeptPage {
  /** Texts at least so near to a vector; undefined for all. */
  near: { vector: Float32Array; least: number } | undefined
  /** Those of a category, of one of some subjects, with one of some external ids; undefined for all. */
  category?: string | undefined
  subjects?: readonly string[] | undefined
  externalIds?: readonly string[] | undefined
  /** Of patterns that are named, all; else the next of the space after one. */
  of: readonly number[] | { after: VersionPlace; count: number }
}

/** Kept versions. @returns those that are asked for, and the last that was looked at, if a page was full */
export async function listKept(
  queries: Queries,
  spaceId: string,
  { near, category, subjects, externalIds, of }: KeptPage,
): Promise<{ rows: KeptRow[]; last: VersionPlace | undefined }> {
  const [among, page] = 'after' in of ? [null, of] : [of, undefined]
  const { rows } = await sql<KeptRow & { is_last: boolean }>`
    select * from app.wanted_versions(${spaceId}, ${among}::int[], ${page?.after.idx ?? null}::int,
      ${page?.after.revision ?? null}::int, ${page?.count ?? null}::int, ${near ? vectorText(near.vector) : null}::text,
      ${near?.least ?? null}::float8, ${category ?? null}::text, ${subjects ?? null}::text[],
      ${externalIds ?? null}::text[])`.execute(queries)
  return {
    rows: rows.filter(({ is_last }) => !is_last),
    last: rows.find(({ is_last }) => is_last),
  }
}
