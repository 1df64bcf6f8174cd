import type { Tier } from '@memory/engine/tiers'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Caller } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { vectorText } from '@memory/shared/platform/database/vector-array'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { sql } from 'kysely'
import { documentOf } from '../filter/javascript-metadata.ts'
import { matches } from '../filter/matches.ts'
import type { DocumentRow } from '../filter/metadata-index.ts'
import { isOf, otherEncoder, type SpaceHeader } from '../spaces/space-encoder.ts'
import { findSpaceHeader } from '../store.ts'
import { type PatternRow, shownLinks } from './pattern-store.ts'
import { isoOrNull } from './show-pattern.ts'

/** The time as of which patterns are read (`as_of`), and which of them. */
export interface Moment {
  /** Null: now. */
  at: Date | null
  /** Also those that were not valid then (`include_superseded`). */
  all: boolean
}

/** Reads a request's moment. @returns undefined for a search of the present valid patterns, which the index answers */
export function momentOf(body: {
  as_of?: Date | null | undefined
  include_superseded?: boolean | undefined
}): Moment | undefined {
  const { as_of: at = null, include_superseded: all = false } = body
  return at === null && !all ? undefined : { at, all }
}

/** A pattern as it was then. */
export interface FoundAt {
  idx: number
  id: string
  text: string | null
  /** JSON text. */
  metadata: string | null
  /** JSON text of an array of numbers; null when it was not asked for. */
  value: string | null
  source_dim: number | null
  external_id: string | null
  revision: number
  valid_from: Date
  valid_to: Date | null
  /** Null if the reader may not see it. */
  shown_superseded_by: string | null
  /** The present tier and last access: they have no history. */
  tier: Tier
  last_accessed: Date | null
  cosine: number
}

export interface SearchAt {
  moment: Moment
  /** The encoder of `query`. */
  modelId: string
  query: Float32Array
  k: number
  minScore: number
  textOnly: boolean
  /** Read values too. */
  values?: boolean
  filter: Filter | undefined
}

type Asking = Pick<Caller, 'spaceId' | 'signal'>

/** Patterns per statement: of the first, and the limits for later ones, whose number is adapted to `sliceMs`. */
const slice = { first: 500, least: 250, most: 20_000 }
/** How long a statement should take, in ms: all other queries of the embedded database wait meanwhile. */
const sliceMs = 15

/**
 * The patterns nearest to a vector as of a time, by the keys that they had then. Compares every key, in the database, with one
 * statement after the other so that other queries are served in between.
 * @throws ApiError abandoned; unavailable while the texts have embeddings of another encoder
 */
export async function searchAt(
  queries: Queries,
  { spaceId, signal }: Asking,
  search: SearchAt,
): Promise<FoundAt[]> {
  const before = await requireEncoder(queries, spaceId, search.modelId)
  const end = await endOf(queries, spaceId)
  let best: FoundAt[] = []
  let count = slice.first
  for (let first = 0; first < end; ) {
    if (signal?.aborted) throw new ApiError('abandoned')
    const started = performance.now()
    const found = await searchSlice(queries, spaceId, search, [first, first + count])
    best = [...best, ...found].sort((a, b) => b.cosine - a.cosine || a.idx - b.idx).slice(0, search.k)
    first += count
    const tookMs = Math.max(0.1, performance.now() - started)
    count = Math.round(Math.min(slice.most, Math.max(slice.least, (count * sliceMs) / tookMs)))
    await yieldToEventLoop()
  }
  const after = await requireEncoder(queries, spaceId, search.modelId)
  if (after.textModel !== before.textModel) throw otherEncoder()
  return best
}

/** @throws ApiError unavailable if the space's text embeddings can't be compared with those of this encoder */
async function requireEncoder(queries: Queries, spaceId: string, modelId: string): Promise<SpaceHeader> {
  const header = await findSpaceHeader(queries, spaceId)
  if (header === undefined || !isOf(header, modelId)) throw otherEncoder()
  return header
}

async function searchSlice(
  queries: Queries,
  spaceId: string,
  { moment, query, k, minScore, textOnly, values = false, filter }: SearchAt,
  [first, end]: [number, number],
): Promise<FoundAt[]> {
  const part = partOf(spaceId, moment, first, end)
  const among = filter === undefined ? null : await matchingAt(queries, part, filter)
  if (among?.length === 0) return []
  const { rows } = await sql<FoundAt>`
    select p.*, app.shown_link(${spaceId}, p.superseded_by) as shown_superseded_by
      from app.search_at(${part}, ${vectorText(query)}, ${textOnly}, ${values}, ${among}::int[], ${k}, ${minScore}) p`.execute(
    queries,
  )
  return rows
}

/** The first arguments of all database functions that read a part of a space as of a time: idx in [first, end). */
const partOf = (spaceId: string, { at, all }: Moment, first: number, end: number) =>
  sql`${spaceId}, ${at?.toISOString() ?? null}::timestamptz, ${all}, ${first}::int, ${end}::int`

type Part = ReturnType<typeof partOf>

async function matchingAt(queries: Queries, part: Part, filter: Filter, textOnly = false): Promise<number[]> {
  const { rows } = await sql<DocumentRow & { text: string | null }>`
    select * from app.documents_at(${part})`.execute(queries)
  return rows
    .filter(({ text, ...row }) => (text !== null || !textOnly) && matches(filter, documentOf(row, text)))
    .map(({ idx }) => idx)
}

/** The first `count` patterns after an idx, in store order, as of a time. @throws ApiError abandoned */
export async function listAt(
  queries: Queries,
  caller: Asking,
  wanted: { moment: Moment; after: number; count: number; filter: Filter | undefined },
): Promise<PatternRow[]> {
  const { moment, after, count, filter } = wanted
  const found: PatternRow[] = []
  for await (const part of partsOf(queries, caller, moment, after + 1)) {
    const among = filter === undefined ? null : await matchingAt(queries, part, filter)
    const { rows } = await sql<PatternRow>`
      select p.idx, p.id, p.text, p.metadata::text as metadata, p.tier, p.protected, p.asked_protected,
          p.access_count, p.last_accessed, p.occurred_at, p.expires_at, p.created_at, p.source_dim, p.external_id, p.subject, p.revision, p.updated_at,
          p.valid_from, p.valid_to, p.supersedes, p.superseded_by, ${sql.join(shownLinks(caller.spaceId))}
        from app.list_at(${part}, ${among}::int[], ${count - found.length}) p`.execute(queries)
    found.push(...rows)
    if (found.length === count) break
  }
  return found
}

/** How many patterns there were at a time. @throws ApiError abandoned */
export async function countAt(
  queries: Queries,
  caller: Asking,
  moment: Moment,
  filter: Filter | undefined,
  { textOnly = false } = {},
): Promise<number> {
  let count = 0
  for await (const part of partsOf(queries, caller, moment, 0)) {
    if (filter !== undefined) {
      count += (await matchingAt(queries, part, filter, textOnly)).length
      continue
    }
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from app.documents_at(${part}) where text is not null or not ${textOnly}::boolean`.execute(
      queries,
    )
    count += rows[0]?.count ?? 0
  }
  return count
}

/** Splits a space, from an idx on, into parts that one short statement each can read. */
async function* partsOf(
  queries: Queries,
  { spaceId, signal }: Asking,
  moment: Moment,
  from: number,
): AsyncGenerator<Part> {
  const end = await endOf(queries, spaceId)
  for (let first = from; first < end; first += slice.first) {
    if (signal?.aborted) throw new ApiError('abandoned')
    yield partOf(spaceId, moment, first, first + slice.first)
    await yieldToEventLoop()
  }
}

async function endOf(queries: Queries, spaceId: string): Promise<number> {
  const { rows } = await asTenant(queries, { spaceId }, (trx) =>
    sql<{ end: number }>`select next_idx as end from app.spaces where id = ${spaceId}`.execute(trx),
  )
  return rows[0]?.end ?? 0
}

/** The fields of a result that say which revision it is, and when that was valid. */
export const shownMoment = ({ revision, valid_from, valid_to, shown_superseded_by }: FoundAt) => ({
  version: revision,
  valid_from: valid_from.toISOString(),
  valid_to: isoOrNull(valid_to),
  superseded_by: shown_superseded_by,
})

/** The same as JSON text with a leading comma. */
export const momentJson = (found: FoundAt): string => `,${JSON.stringify(shownMoment(found)).slice(1, -1)}`
