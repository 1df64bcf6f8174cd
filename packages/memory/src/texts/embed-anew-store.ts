import { asTask, asTenant, type Queries } from '@memory/shared/platform/database/database'
import { vectorArray } from '@memory/shared/platform/database/vector-array'
import { sql } from 'kysely'
import { insertPassages, type StoredPassage } from '../lexical/passage-store.ts'

/** Who embeds anew by what: one of several processes. */
export interface Embedder {
  modelId: string
  name: string
}

/** Makes an encoder that of the deployment. Other processes that have another one search and store no texts from now on. */
export async function useEncoder(queries: Queries, modelId: string): Promise<void> {
  await asTask(queries, 'embed-anew', (trx) => sql`select app.use_encoder(${modelId})`.execute(trx))
}

/** Spaces that may have embeddings of other encoders, and are none of `without`, if the deployment's is `embedder`'s. */
export async function listSpacesToEmbed(
  queries: Queries,
  { modelId, name }: Embedder,
  { without, count }: { without: readonly string[]; count: number },
): Promise<string[]> {
  return asTask(queries, 'embed-anew', async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from app.next_to_embed(${modelId}, ${name}, ${without}::uuid[], ${count}) as n (id)`.execute(
      trx,
    )
    return rows.map(({ id }) => id)
  })
}

/** Leaves what an embedder holds to others. */
export async function leaveSpaces(queries: Queries, { name }: Embedder): Promise<void> {
  await asTask(queries, 'embed-anew', (trx) => sql`select app.leave_to_embed(${name})`.execute(trx))
}

/** How much is known to have embeddings of other encoders. */
export async function countLeft(
  queries: Queries,
  modelId: string,
): Promise<{ spaces: number; texts: number }> {
  return asTask(queries, 'embed-anew', async (trx) => {
    const { rows } = await sql<{ spaces: number; texts: number }>`
      select spaces, texts from app.left_to_embed(${modelId})`.execute(trx)
    return rows[0] ?? { spaces: 0, texts: 0 }
  })
}

/** A space that this process alone embeds anew, for a time. */
export interface TakenSpace {
  /** Nobody searches it meanwhile. */
  closed: boolean
  /** The idx behind its last pattern. */
  ends: number
}

/**
 * Takes a space, or holds on to it.
 * @param close whether it has embeddings of other encoders for sure
 * @returns undefined where another process has it, or nothing is to do in it
 */
export async function takeToEmbed(
  queries: Queries,
  spaceId: string,
  { modelId, name }: Embedder,
  { seconds, close }: { seconds: number; close: boolean },
): Promise<TakenSpace | undefined> {
  const { rows } = await sql<TakenSpace>`
    select closed, ends from app.take_to_embed(${spaceId}, ${modelId}, ${name}, ${seconds}, ${close})`.execute(
    queries,
  )
  return rows[0]
}

/** Holds on to a space that was taken, unless it is another's by now. */
export async function holdOn(
  queries: Queries,
  spaceId: string,
  { name }: Embedder,
  seconds: number,
): Promise<void> {
  await asTenant(queries, { spaceId }, (trx) =>
    sql`update app.spaces set embedder_until = clock_timestamp() + make_interval(secs => ${seconds})
      where id = ${spaceId} and embedder = ${name}`.execute(trx),
  )
}

/** What embeddings are kept of: patterns, or their earlier revisions. */
export type Kept = 'patterns' | 'versions'

/** A text whose embedding is of another encoder. */
export interface TextToEmbed {
  idx: number
  text: string
}

/** Up to `count` of them with `after` < idx < `before`, by idx; all of one idx where there are fewer. */
export async function listTextsToEmbed(
  queries: Queries,
  spaceId: string,
  modelId: string,
  kept: Kept,
  { after, before, count }: { after: number; before: number; count: number },
): Promise<TextToEmbed[]> {
  const read = kept === 'patterns' ? sql`app.texts_to_embed` : sql`app.versions_to_embed`
  const { rows } = await sql<TextToEmbed>`
    select idx, text from ${read}(${spaceId}, ${modelId}, ${after}, ${before}, ${count})`.execute(queries)
  return rows
}

/** A text with what the encoder gave for it. */
export interface Embedded extends TextToEmbed {
  key: Float32Array
  passages: readonly StoredPassage[]
}

/** Gives texts their new embeddings. One that was changed meanwhile stays as it is, and all do in a space that another has taken. */
export async function saveEmbedded(
  queries: Queries,
  spaceId: string,
  { modelId, name }: Embedder,
  kept: Kept,
  embedded: readonly Embedded[],
): Promise<void> {
  const values = sql`${spaceId}, ${modelId}, ${name}, ${embedded.map(({ idx }) => idx)}::int[],
    ${embedded.map(({ text }) => text)}::text[], ${vectorArray(embedded.map(({ key }) => key))}::vector[]`
  await asTenant(queries, { spaceId }, async (trx) => {
    if (kept === 'versions') {
      await sql`select app.embed_versions(${values})`.execute(trx)
      return
    }
    const { rows } = await sql<{ done: number[] }>`select app.embed_texts(${values}) as done`.execute(trx)
    const done = new Set(rows[0]?.done)
    await insertPassages(
      trx,
      spaceId,
      embedded.filter(({ idx }) => done.has(idx)),
    )
  })
}

/** Opens a space that has embeddings of one encoder only. */
export async function endEmbedding(
  queries: Queries,
  spaceId: string,
  { modelId, name }: Embedder,
): Promise<void> {
  await sql`select app.end_embedding(${spaceId}, ${modelId}, ${name})`.execute(queries)
}
