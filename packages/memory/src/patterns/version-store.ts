import type { Queries, Trx } from '@memory/shared/platform/database/database'
import { asTenant } from '@memory/shared/platform/database/database'
import type { Change } from '@memory/shared/platform/database/tables'
import { sql } from 'kysely'
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

/** The version that is there and those that are kept, below one, newest first. */
export async function listVersions(
  queries: Queries,
  spaceId: string,
  idx: number,
  { before, count }: { before: number; count: number },
): Promise<VersionRow[]> {
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<VersionRow>`
      select p.revision, p.text, p.metadata, case when p.text is null then coalesce(p.value, p.key)::text end as value,
          p.occurred_at, p.expires_at, coalesce(p.valid_from, p.occurred_at) as valid_from, p.valid_to,
          coalesce(p.updated_at, p.created_at) as changed_at, p.changed_by, coalesce(p.change, 'created') as change,
          false as redacted
        from app.patterns p where p.space_id = ${spaceId} and p.idx = ${idx} and p.revision < ${before}
      union all
      select v.revision, v.text, v.metadata, case when v.text is null then coalesce(v.value, v.key)::text end,
          v.occurred_at, v.expires_at, coalesce(v.valid_from, v.occurred_at), v.valid_to, v.changed_at, v.changed_by,
          v.change, v.redacted_at is not null
        from app.pattern_versions v where v.space_id = ${spaceId} and v.idx = ${idx} and v.revision < ${before}
      order by revision desc limit ${count}`.execute(trx),
  )
  return rows
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
}

/** @returns undefined for one that is not kept, or was redacted */
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
        occurred_at as "occurredAt", expires_at as "expiresAt", valid_from as "validFrom", valid_to as "validTo"
      from app.pattern_versions
      where space_id = ${spaceId} and idx = ${idx} and revision = ${revision} and redacted_at is null`.execute(
    trx,
  )
  const [row] = rows
  return row && { ...row, key: toVector(row.key), value: row.value && toVector(row.value) }
}

/** Takes everything out of a kept version that it held. @returns false when there is none, or nothing in it */
export async function redactVersion(
  trx: Trx,
  spaceId: string,
  idx: number,
  revision: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update app.pattern_versions set text = null, metadata = null, key = null, value = null, source_dim = null,
        model = null, subject = null, external_id = null, occurred_at = null, expires_at = null, valid_from = null,
        valid_to = null, redacted_at = now()
      where space_id = ${spaceId} and idx = ${idx} and revision = ${revision} and redacted_at is null`.execute(
    trx,
  )
  return numAffectedRows === 1n
}
