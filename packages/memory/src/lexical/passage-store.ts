import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { readVector, vectorArray, vectorDimensions } from '@memory/shared/platform/database/vector-array'
import { sql } from 'kysely'

/** Part of a long text, code points from `start` up to `end`, with an embedding of its own. */
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

/** @param trx a transaction of the space's tenant, which has locked the pattern */
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
 * Stores passages of a text that was stored without, as a change of it, so that every process hears of them: unless it is
 * another text by now, has some, or was embedded by another model.
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

/** Passages of a text as the database's functions give them; nulls where it has none. */
export interface PassageColumns {
  firsts: number[] | null
  ends: number[] | null
  /** In pgvector's binary form, one behind the other. */
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
