import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { readVector, vectorArray, vectorDimensions } from '@memory/shared/platform/database/vector-array'
import { sql } from 'kysely'

/** A part of a long text, code points from `start` up to `end`, with its own embedding. */
export interface StoredPassage {
  start: number
  end: number
  key: Float32Array
}

/** The passages of a text, in their order. */
export interface TextPassages {
  idx: number
  passages: readonly StoredPassage[]
}

/**
 * Stores the passages of texts that have none.
 * @param trx the transaction that stores the texts
 */
export async function insertPassages(
  trx: Queries,
  spaceId: string,
  texts: readonly TextPassages[],
): Promise<void> {
  const rows = texts.flatMap(({ idx, passages }) => passages.map((passage, n) => ({ idx, n, ...passage })))
  if (rows.length === 0) return
  await sql`select from app.put_passages(
    ${spaceId}, ${rows.map(({ idx }) => idx)}::int[], ${rows.map(({ n }) => n)}::int[],
    ${rows.map(({ start }) => start)}::int[], ${rows.map(({ end }) => end)}::int[],
    ${vectorArray(rows.map(({ key }) => key))}::vector[])`.execute(trx)
}

/** Replaces the passages of a text. @param trx a transaction of the space's tenant, which has locked the pattern */
export async function replacePassages(trx: Trx, spaceId: string, text: TextPassages): Promise<void> {
  await trx
    .withSchema('app')
    .deleteFrom('passages')
    .where('space_id', '=', spaceId)
    .where('idx', '=', text.idx)
    .execute()
  await insertPassages(trx, spaceId, [text])
}

/**
 * Adds passages to a text that was stored without. Counts as a change of the text, so that every process reads them. Does nothing
 * if the text has changed meanwhile, has passages already, or was embedded by another model.
 */
export async function addPassages(
  queries: Queries,
  spaceId: string,
  { idx, passages, text, model }: TextPassages & { text: string; model: string },
): Promise<void> {
  await asTenant(queries, { spaceId }, async (trx) => {
    await sql`select from app.spaces where id = ${spaceId} for no key update`.execute(trx)
    const { rows } = await sql`
      update app.patterns p set version = (select s.version + 1 from app.spaces s where s.id = p.space_id)
        where p.space_id = ${spaceId} and p.idx = ${idx} and p.text = ${text} and p.model = ${model}
          and not exists (select from app.passages g where g.space_id = p.space_id and g.idx = p.idx)
        returning p.version`.execute(trx)
    if (rows.length === 0) return
    await sql`update app.spaces set version = version + 1 where id = ${spaceId}`.execute(trx)
    await insertPassages(trx, spaceId, [{ idx, passages }])
  })
}

/** Passages of a text as the database's functions return them; null if it has none. */
export interface PassageColumns {
  /** The start of each. */
  firsts: number[] | null
  ends: number[] | null
  /** The keys in pgvector's binary format, one after the other. */
  keys: Uint8Array | null
}

/** Passages of up to `count` texts after an idx that have any, in idx order. */
export async function loadPassages(
  queries: Queries,
  spaceId: string,
  afterIdx: number,
  count: number,
): Promise<TextPassages[]> {
  const { rows } = await sql<PassageColumns & { idx: number }>`
    select * from app.load_passages(${spaceId}, ${afterIdx}, ${count})`.execute(queries)
  return rows.map((row) => ({ idx: row.idx, passages: toPassages(row) }))
}

export function toPassages({ firsts, ends, keys }: PassageColumns): StoredPassage[] {
  if (firsts === null || ends === null || keys === null) return []
  const bytes = keys.byteLength / firsts.length
  return firsts.map((start, n) => {
    const binary = keys.subarray(n * bytes, (n + 1) * bytes)
    const key = new Float32Array(vectorDimensions(binary))
    readVector(binary, key)
    return { start, end: ends[n] as number, key }
  })
}
