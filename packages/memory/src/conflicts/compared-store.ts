import { parameters } from '@memory/engine/parameters'
import type { ConflictKind } from '@memory/engine/sleep/conflicts'
import { asTenant, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { sql } from 'kysely'
import { areAsSeen, isThere } from '../exploration/trial-store.ts'
import { lockSpace } from '../store.ts'
import { isOfSubject } from '../subjects/subject-store.ts'

/** Patterns that are read at once, of which not all are texts that are compared. */
const rowsAtOnce = 100
/** Indexes that are read at once: the embedded database takes some milliseconds for them. */
const indexesAtOnce = 5_000

/** That a pattern is there now. */
const isCurrent = (alias: string) =>
  sql`app.is_current(${sql.ref(`${alias}.expires_at`)}, ${sql.ref(`${alias}.valid_to`)}, ${sql.ref(`${alias}.enters_at`)})`

/** The end user of a pattern, as its text's index has it. */
const owner = (alias: string) => {
  const subject = sql.ref(`${alias}.subject`)
  return sql`case when ${subject} is null then '' else ${subject} end`
}

/** How far a space was looked through: up to a pattern, in the order of the versions that changed them. */
export interface Compared {
  version: number
  idx: number
}

/** A space as a sleep that looks for conflicts finds it. */
export interface ComparedSpace {
  version: number
  compared: Compared
  /** Whether some of its patterns are of end users. */
  hasSubjects: boolean
  /** How many conflicts are open, by the end user of their texts (null: none). */
  open: Map<string | null, number>
}

/**
 * Begins to look for conflicts. Those of which nothing was said go where a pattern is not there any more.
 * @param trx of the space, which the caller consolidates
 */
export async function beginComparing(trx: Trx, spaceId: string): Promise<ComparedSpace> {
  await sql`
    delete from app.conflicts c where c.space_id = ${spaceId} and c.status = 'open' and not (
      ${isThere(spaceId, 'c.a')} and ${isThere(spaceId, 'c.b')}
    )`.execute(trx)
  const { rows } = await sql<{ space: number; version: number; idx: number; has_subjects: boolean }>`
    select s.version as space, c.compared_version as version, c.compared_idx as idx,
        exists (select from app.patterns p where p.space_id = s.id and p.subject is not null) as has_subjects
      from app.spaces s join app.consolidations c on c.space_id = s.id where s.id = ${spaceId}`.execute(trx)
  const [{ space, version, idx, has_subjects }] = rows as [(typeof rows)[number]]
  const { rows: counts } = await sql<{ subject: string | null; open: number }>`
    select p.subject, count(*)::int as open
      from app.conflicts c cross join lateral app.named_patterns(c.space_id, array[c.a]) p
      where c.space_id = ${spaceId} and c.status = 'open' group by p.subject`.execute(trx)
  return {
    version: space,
    compared: { version, idx },
    hasSubjects: has_subjects,
    open: new Map(counts.map(({ subject, open }) => [subject, open])),
  }
}

/** Patterns that come next. */
export interface TouchedPage {
  /** Indexes of the texts among them. */
  texts: number[]
  /** The last of them; undefined where there is none. */
  end: Compared | undefined
}

/**
 * The patterns after those that were looked through, up to a version of the space: as many as have `texts` texts among
 * them, or fewer.
 */
export function listTouched(
  queries: Queries,
  spaceId: string,
  { version, idx }: Compared,
  { until, texts }: { until: number; texts: number },
): Promise<TouchedPage> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const { rows } = await sql<Compared & { is_text: boolean }>`
      select * from app.touched_patterns(${spaceId}, ${version}, ${idx}, ${until}, ${rowsAtOnce})`.execute(
      trx,
    )
    const places = rows.flatMap(({ is_text }, place) => (is_text ? [place] : []))
    const page = rows.slice(0, (places[texts - 1] ?? rows.length) + 1)
    return { texts: page.filter(({ is_text }) => is_text).map(({ idx }) => idx), end: page.at(-1) }
  })
}

/** A text as it is compared. */
export interface ComparedText {
  idx: number
  text: string
  subject: string | null
  occurred_at: Date
}

/**
 * Those of the patterns that are compared: texts that are there and no longer than is read of them. Of copies of an end
 * user's text the first is.
 */
export async function findCompared(
  queries: Queries,
  spaceId: string,
  indexes: readonly number[],
): Promise<ComparedText[]> {
  // The earlier copy as a range in the order of the texts' index: see app.copies_of_text.
  const find = (trx: Trx) =>
    sql<ComparedText>`
      select p.idx, p.text, p.subject, p.occurred_at from app.named_patterns(${spaceId}, ${indexes}::int[]) p
        left join lateral (
          select o.idx from app.patterns o
            where o.space_id = ${spaceId} and o.text_hash is not null and (o.text_hash, ${owner('o')}) >= (p.text_hash, ${owner('p')})
              and (o.text_hash, ${owner('o')}, o.idx) < (p.text_hash, ${owner('p')}, p.idx) and ${isCurrent('o')}
            order by o.text_hash, ${owner('o')}, o.idx limit 1
        ) as earlier on true
        where p.text is not null and ${isCurrent('p')}
          and char_length(p.text) <= ${parameters.contradiction.textCharacters} and earlier.idx is null`.execute(
      trx,
    )
  const { rows } = await asTenant(queries, { spaceId }, find, { inOrder: true })
  return rows
}

/** The patterns of an end user, or of none. */
export async function listOfSubject(
  queries: Queries,
  spaceId: string,
  subject: string | null,
): Promise<number[]> {
  const [isThese, order] =
    subject === null ? [sql`p.subject is null`, sql`p.idx`] : [isOfSubject(subject), sql`p.subject, p.idx`]
  const indexes: number[] = []
  for (let page = indexesAtOnce; page === indexesAtOnce; ) {
    const list = (trx: Trx) =>
      sql<{ idx: number }>`
        select p.idx from app.patterns p
          where p.space_id = ${spaceId} and ${isThese} and p.idx > ${indexes.at(-1) ?? -1}
          order by ${order} limit ${indexesAtOnce}`.execute(trx)
    const { rows } = await asTenant(queries, { spaceId }, list, { inOrder: true })
    for (const { idx } of rows) indexes.push(idx)
    page = rows.length
    await yieldToEventLoop()
  }
  return indexes
}

/** A conflict that sleep has found. */
export interface FoundConflict {
  id: string
  a: number
  b: number
  kind: ConflictKind
  reason: string | null
  similarity: number
  /** The end user of both texts. */
  subject: string | null
}

/**
 * Writes conflicts of a space as it was at version `seen`: patterns that are gone, or have changed since, have none. What
 * was said of a pair stays; one of which nothing was said is what it is found to be now.
 * @returns those that are new
 */
export async function insertConflicts(
  trx: Trx,
  spaceId: string,
  seen: number,
  at: Date,
  found: readonly FoundConflict[],
): Promise<FoundConflict[]> {
  if (found.length === 0) return []
  await lockSpace(trx, spaceId)
  const column = <T>(read: (conflict: FoundConflict) => T) => found.map(read)
  const ids = column(({ id }) => id)
  const { rows } = await sql<{ id: string }>`
    insert into app.conflicts as c (space_id, a, b, id, kind, reason, similarity, found_at)
      select ${spaceId}, n.a, n.b, n.id, n.kind, n.reason, n.similarity, ${at.toISOString()}::timestamptz
        from unnest(
          ${column(({ a }) => a)}::int[], ${column(({ b }) => b)}::int[], ${ids}::text[],
          ${column(({ kind }) => kind)}::text[], ${column(({ reason }) => reason)}::text[],
          ${column(({ similarity }) => similarity)}::float8[]
        ) as n (a, b, id, kind, reason, similarity)
        where ${areAsSeen(spaceId, seen)}
      on conflict (space_id, a, b) do update
        set kind = excluded.kind, reason = excluded.reason, similarity = excluded.similarity
        where c.status = 'open'
      returning c.id`.execute(trx)
  const written = new Set(rows.map(({ id }) => id))
  return found.filter(({ id }) => written.has(id))
}

/** Keeps how far a space was looked through. */
export async function saveCompared(trx: Trx, spaceId: string, { version, idx }: Compared): Promise<void> {
  await sql`
    update app.consolidations set compared_version = ${version}, compared_idx = ${idx}
      where space_id = ${spaceId}`.execute(trx)
}
