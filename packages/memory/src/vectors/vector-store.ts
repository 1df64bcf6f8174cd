import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { vectorText } from '@memory/shared/platform/database/vector-array'
import { sql } from 'kysely'
import { hashKey } from '../patterns/key-hash.ts'
import type { Metadata, Versioning } from '../store.ts'

/** Another value of a key, and other metadata; what is absent stays. */
export interface VectorChange {
  /** Null when it equals the key. */
  value: Float32Array | null
  metadata?:
    | {
        value: Metadata | null
        category: string | null
        /** What follows from them; what a caller has said of it stays. */
        protected: boolean
      }
    | undefined
}

export interface ChangedVector {
  idx: number
  /** A text pattern, which was left as it is. */
  isText: boolean
  version: number
}

/** Changes the newest pattern with this key. @returns undefined when no pattern has it. */
export async function putVector(
  queries: Queries,
  spaceId: string,
  key: Float32Array,
  { value, metadata }: VectorChange,
  { by, kept }: Versioning,
): Promise<ChangedVector | undefined> {
  const valueText = value === null ? null : vectorText(value)
  const metadataText = metadata?.value == null ? null : JSON.stringify(metadata.value)
  const { rows } = await sql<{ idx: number; is_text: boolean; version: number }>`
    select * from app.put_vector(
      ${spaceId}, ${vectorText(key)}, ${valueText}::text, ${metadata !== undefined}, ${metadataText}::text,
      ${metadata?.category ?? null}::text, ${metadata?.protected ?? false}, ${kept}, ${by}::text)`.execute(
    queries,
  )
  const [row] = rows
  return row && { idx: row.idx, isText: row.is_text, version: row.version }
}

/** Removes every pattern with this key. @returns undefined when no pattern has it. */
export async function removeVectors(
  queries: Queries,
  spaceId: string,
  key: Float32Array,
): Promise<{ indexes: number[]; version: number } | undefined> {
  const { rows } = await sql<{ idx: number; version: number }>`
    select * from app.delete_vectors(${spaceId}, ${vectorText(key)})`.execute(queries)
  const [row] = rows
  return row && { indexes: rows.map(({ idx }) => idx), version: row.version }
}

/** How many different texts have this key as their embedding, and when the first pattern with it was stored. */
export async function findTextsOfKey(
  queries: Queries,
  spaceId: string,
  key: Float32Array,
): Promise<{ texts: number; since: Date | null }> {
  const { rows } = await sql<{ texts: number; since: Date | null }>`
    select count(distinct p.text_hash)::int as texts, min(p.created_at) as since from app.patterns p
      where p.space_id = ${spaceId} and p.key_hash = decode(${hashKey(key)}, 'hex')
        and p.key = ${vectorText(key)}::vector and coalesce(p.expires_at > now(), true)`.execute(queries)
  return rows[0] as { texts: number; since: Date | null }
}

/** A pattern with its vectors, as JSON texts. */
export interface VectorRow {
  key: string
  /** Null when it equals the key. */
  value: string | null
  metadata: string | null
  is_text: boolean
}

/** @param idx within int32 */
export async function findVector(
  queries: Queries,
  spaceId: string,
  idx: number,
): Promise<VectorRow | undefined> {
  const { rows } = await sql<VectorRow>`select * from app.find_vector(${spaceId}, ${idx})`.execute(queries)
  return rows[0]
}

/**
 * Characters of the JSON texts of patterns' values.
 * @param numberChars counts so many for each number, without reading the values
 */
export function listValueChars(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
  numberChars?: number,
): Promise<Map<number, number>> {
  const value = sql`coalesce(value, key)`
  const chars =
    numberChars === undefined
      ? sql`length(${value}::text)`
      : sql`${numberChars}::integer * vector_dims(${value})`
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<{ idx: number; chars: number }>`
      select idx, ${chars} as chars from app.named_patterns(${spaceId}, ${indexes}::int[])
        where expires_at is null or expires_at > now()`.execute(trx)
    return new Map(rows.map((row) => [row.idx, row.chars]))
  })
}
